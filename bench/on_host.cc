// What two ranks of one host cost, beside a cache line bounced between two
// processes (B). Every figure is a median over repetitions; limit and ours are
// measured alternately, so that drift of a shared machine touches both.
#include <gasnet.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/clock.h"
#include "bench/line_bounce.h"

namespace {

constexpr int kRepetitions = 7;
constexpr int kRounds = 100'000;
constexpr size_t kMedium = 512;
constexpr size_t kLong = 4096;

enum Handler : gasnet_handler_t {
  kPing = 200,
  kPong,
  kPingMedium,
  kPongMedium,
  kPingLong,
  kCount,
};

volatile int pongs = 0;
volatile int counted = 0;
unsigned char buffer[kLong];
void* segment_of[2];

void Ping(gasnet_token_t token, gasnet_handlerarg_t) {
  gasnet_AMReplyShort1(token, kPong, 0);
}
void Pong(gasnet_token_t, gasnet_handlerarg_t) { pongs = pongs + 1; }
void PingMedium(gasnet_token_t token, void* data, size_t nbytes) {
  gasnet_AMReplyMedium0(token, kPongMedium, data, nbytes);
}
void PongMedium(gasnet_token_t, void*, size_t) { pongs = pongs + 1; }
void PingLong(gasnet_token_t token, void*, size_t) {
  gasnet_AMReplyShort1(token, kPong, 0);
}
void Count(gasnet_token_t, void*, size_t) { counted = counted + 1; }

void Barrier() {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

// Nanoseconds of one round trip, measured by rank 0; rank 1 serves.
template <class Send>
double RoundTrip(Send send) {
  Barrier();
  const int64_t start = gasnet::NowNanos();
  if (gasnet_mynode() == 0) {
    for (int i = 0; i < kRounds; ++i) {
      const int before = pongs;
      send();
      while (pongs == before) gasnet_AMPoll();
    }
  }
  Barrier();
  return static_cast<double>(gasnet::NowNanos() - start) / kRounds;
}

double ShortRoundTrip() {
  return RoundTrip([] { gasnet_AMRequestShort1(1, kPing, 0); });
}
double MediumRoundTrip() {
  return RoundTrip(
      [] { gasnet_AMRequestMedium0(1, kPingMedium, buffer, kMedium); });
}
double LongRoundTrip() {
  return RoundTrip([] {
    gasnet_AMRequestLong0(1, kPingLong, buffer, kLong, segment_of[1]);
  });
}

// Nanoseconds for each of many 8-byte Mediums one way.
double Flood() {
  Barrier();
  counted = 0;
  Barrier();
  const int64_t start = gasnet::NowNanos();
  if (gasnet_mynode() == 0) {
    for (int i = 0; i < kRounds; ++i) {
      gasnet_AMRequestMedium0(1, kCount, buffer, 8);
    }
  } else {
    GASNET_BLOCKUNTIL(counted == kRounds);
  }
  Barrier();
  return static_cast<double>(gasnet::NowNanos() - start) / kRounds;
}

double OneBarrier() {
  Barrier();
  const int64_t start = gasnet::NowNanos();
  for (int i = 0; i < kRounds; ++i) Barrier();
  return static_cast<double>(gasnet::NowNanos() - start) / kRounds;
}

double Put8() {
  Barrier();
  auto* const there = static_cast<uint64_t*>(segment_of[1]);
  const int64_t start = gasnet::NowNanos();
  for (uint64_t i = 0; i < 10 * kRounds; ++i) {
    gasnet_put(gasnet_nodes() - 1, &there[i % 512], &i, sizeof(i));
  }
  const int64_t nanos = gasnet::NowNanos() - start;
  Barrier();
  return static_cast<double>(nanos) / (10 * kRounds);
}

// Rank 1 sleeps meanwhile, so that the limit has both processors.
double Limit() {
  Barrier();
  double nanos = 0;
  if (gasnet_mynode() == 0) {
    gasnet_set_waitmode(GASNET_WAIT_BLOCK);
    nanos = gasnet::bench::LineBounceNanos(kRounds);
  } else {
    gasnet_set_waitmode(GASNET_WAIT_BLOCK);
  }
  Barrier();
  gasnet_set_waitmode(GASNET_WAIT_SPIN);
  return nanos;
}

struct Operation {
  const char* name;
  double (*run)();
  std::vector<double> nanos;
  std::vector<double> ratio;
};

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void Print(const std::vector<Operation>& operations, double limit) {
  printf("B, one cache line there and back: %.0f ns (median of %d)\n", limit,
         kRepetitions);
  printf("%-34s %10s %8s %8s %8s\n", "operation", "ours ns", "ours/B", "min",
         "max");
  for (const Operation& operation : operations) {
    const auto [low, high] =
        std::minmax_element(operation.ratio.begin(), operation.ratio.end());
    printf("%-34s %10.1f %8.3f %8.3f %8.3f\n", operation.name,
           Median(operation.nanos), Median(operation.ratio), *low, *high);
  }
}

gasnet_handlerentry_t Entry(Handler index, void (*function)()) {
  return {index, function};
}

void Attach() {
  gasnet_handlerentry_t table[] = {
      Entry(kPing, reinterpret_cast<void (*)()>(Ping)),
      Entry(kPong, reinterpret_cast<void (*)()>(Pong)),
      Entry(kPingMedium, reinterpret_cast<void (*)()>(PingMedium)),
      Entry(kPongMedium, reinterpret_cast<void (*)()>(PongMedium)),
      Entry(kPingLong, reinterpret_cast<void (*)()>(PingLong)),
      Entry(kCount, reinterpret_cast<void (*)()>(Count)),
  };
  if (gasnet_attach(table, static_cast<int>(std::size(table)), 1 << 20, 0) !=
      GASNET_OK) {
    fprintf(stderr, "on_host: gasnet_attach failed\n");
    gasnet_exit(1);
  }
  gasnet_seginfo_t segments[2];
  gasnet_getSegmentInfo(segments, 2);
  segment_of[0] = segments[0].addr;
  segment_of[1] = segments[1].addr;
}

}  // namespace

int main(int argc, char** argv) {
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  if (gasnet_nodes() != 2) {
    fprintf(stderr, "on_host: run with 2 ranks, not %u\n", gasnet_nodes());
    gasnet_exit(2);
  }
  Attach();
  std::vector<Operation> operations = {
      {"Short request, Short reply", &ShortRoundTrip, {}, {}},
      {"Medium 512 B there and back", &MediumRoundTrip, {}, {}},
      {"Long 4 KiB, Short reply", &LongRoundTrip, {}, {}},
      {"flood of 8-byte Mediums, each", &Flood, {}, {}},
      {"barrier", &OneBarrier, {}, {}},
      {"put of 8 bytes", &Put8, {}, {}},
  };
  std::vector<double> limits;
  for (int i = 0; i < kRepetitions; ++i) {
    limits.push_back(Limit());
    for (Operation& operation : operations) {
      operation.nanos.push_back(operation.run());
      operation.ratio.push_back(operation.nanos.back() / limits.back());
    }
  }
  if (gasnet_mynode() == 0) Print(operations, Median(limits));
  Barrier();
  gasnet_exit(0);
}
