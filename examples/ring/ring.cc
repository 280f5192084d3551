// A token goes around all ranks. Prints the cost of one hop of a small message.
//
// The token is an active message. A handler may only reply to the sender, so it
// cannot send the next message. Instead the handler stores the token, and
// main() passes it on. Programs driven by active messages are usually split
// like this.
//
// The token carries a digest. Every rank mixes its number into the digest, so a
// hop that is lost, repeated or out of order changes the result. Rank 0 knows
// the correct result.

#include <gasnet.h>

#include <atomic>
#include <cstdint>
#include <cstdio>

#include "examples/util/job.h"
#include "examples/util/options.h"

namespace {

using example::Rank;
using example::Size;

constexpr gasnet_handler_t kTokenHandler = 128;

// There is only one token, so one variable holds its digest. The handler writes
// the counter after the digest, and main() waits for the counter before it
// reads the digest. So the digest needs no other synchronisation.
uint32_t g_digest = 0;
std::atomic<uint64_t> g_arrivals{0};

void OnToken(gasnet_token_t, gasnet_handlerarg_t digest) {
  g_digest = static_cast<uint32_t>(digest);
  g_arrivals.fetch_add(1, std::memory_order_release);
}

gasnet_handlerentry_t g_handlers[] = {
    {kTokenHandler, reinterpret_cast<void (*)()>(OnToken)}};

uint32_t Mix(uint32_t digest, gasnet_node_t rank) {
  return (digest ^ rank) * 16777619u + 1;
}

void Send(uint32_t digest) {
  const gasnet_node_t next = (Rank() + 1) % Size();
  const int result = gasnet_AMRequestShort1(
      next, kTokenHandler, static_cast<gasnet_handlerarg_t>(digest));
  if (result != GASNET_OK) {
    example::Die("gasnet_AMRequestShort1: %s", gasnet_ErrorDesc(result));
  }
}

void WaitForArrival(uint64_t number) {
  GASNET_BLOCKUNTIL(g_arrivals.load(std::memory_order_acquire) >= number);
}

// Sends the token around `laps` times. Returns the digest that the token had
// when it last came back to rank 0. On other ranks the result has no meaning.
// `arrivals` continues from one call to the next.
uint32_t GoAround(uint64_t laps, uint64_t* arrivals) {
  uint32_t digest = 0;
  for (uint64_t lap = 0; lap < laps; ++lap) {
    // Rank 0 starts each lap with the token. The other ranks first wait for it.
    if (!example::IsRoot()) {
      WaitForArrival(++*arrivals);
      digest = g_digest;
    }
    Send(Mix(digest, Rank()));
    if (example::IsRoot()) {
      WaitForArrival(++*arrivals);
      digest = g_digest;
    }
  }
  return digest;
}

uint32_t ExpectedDigest(uint64_t laps) {
  uint32_t digest = 0;
  for (uint64_t lap = 0; lap < laps; ++lap) {
    for (gasnet_node_t rank = 0; rank < Size(); ++rank) {
      digest = Mix(digest, rank);
    }
  }
  return digest;
}

bool Report(uint64_t laps, double seconds, uint32_t digest) {
  const double hops = static_cast<double>(laps) * Size();
  std::printf("%u ranks, %llu laps, %.0f hops in %.3f s: %.3f us per hop\n",
              Size(), static_cast<unsigned long long>(laps), hops, seconds,
              seconds / hops * 1e6);
  const uint32_t expected = ExpectedDigest(laps);
  if (digest == expected) {
    std::printf("token ok (digest %08x)\n", digest);
    return true;
  }
  std::printf("TOKEN WRONG: digest %08x, expected %08x\n", digest, expected);
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  example::Start(&argc, &argv);
  uint64_t laps = 1000;
  uint64_t warmup = 10;
  example::Options options(
      "ring [OPTION...]",
      "Sends a token around all ranks and prints the cost of one hop.");
  options.Number("laps", &laps, 1, 100'000'000, "how often it goes around");
  options.Number("warmup", &warmup, 0, 1'000'000, "laps before timing starts");
  options.ParseOrExit(argc, argv);
  example::Attach(g_handlers, 0);

  uint64_t arrivals = 0;
  GoAround(warmup, &arrivals);
  example::Barrier();
  const double start = example::Now();
  const uint32_t digest = GoAround(laps, &arrivals);
  const double seconds = example::Now() - start;

  // Only rank 0 can check the token at the end. The sum tells all ranks the
  // result.
  const bool wrong = example::IsRoot() && !Report(laps, seconds, digest);
  const bool any_wrong = example::Sum<uint64_t>(wrong) > 0;
  example::Finish(any_wrong ? 1 : 0);
}
