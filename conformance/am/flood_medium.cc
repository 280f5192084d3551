// Every node floods every other node with Medium requests of mixed sizes. Each
// request is answered by a Medium reply of its size. There is no deadlock
// (section 2.3).
#include <atomic>
#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply };

constexpr int kThreads = 3;
constexpr int kRequests = 80;  // from each thread to each node

std::unique_ptr<char[]> payload;  // read by all threads
std::atomic<int> replies{0};

void OnRequest(gasnet_token_t token, void* buffer, size_t bytes,
               gasnet_handlerarg_t size) {
  CHECK_EQ(bytes, size);
  CHECK_OK(gasnet_AMReplyMedium1(token, kReply, buffer, bytes, size));
}

void OnReply(gasnet_token_t, void* buffer, size_t bytes,
             gasnet_handlerarg_t size) {
  CHECK_EQ(bytes, size);
  CHECK_PATTERN(buffer, bytes, 77);
  ++replies;
}

// Sends the flood. Every tenth message has the maximum size. The others have
// random sizes.
void Flood(int thread) {
  Random random(gasnet_mynode() * kThreads + thread);
  const size_t limit = gasnet_AMMaxMedium();
  for (int number = 0; number < kRequests; ++number) {
    const size_t size = number % 10 == 0 ? limit : random.Below(limit / 4);
    for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
      CHECK_OK(gasnet_AMRequestMedium1(peer, kRequest, payload.get(), size,
                                       static_cast<gasnet_handlerarg_t>(size)));
    }
  }
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kRequest, OnRequest),
    HANDLER(kReply, OnReply),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 0);
  const size_t limit = gasnet_AMMaxMedium();
  conformance::payload = std::make_unique<char[]>(limit);
  conformance::FillPattern(conformance::payload.get(), limit, 77);
  conformance::RunThreads(conformance::kThreads, conformance::Flood);
  const int expected = conformance::kThreads * conformance::kRequests *
                       static_cast<int>(gasnet_nodes());
  GASNET_BLOCKUNTIL(conformance::replies == expected);
  return conformance::FinishJob();
}
