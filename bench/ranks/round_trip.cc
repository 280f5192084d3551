#include "bench/ranks/round_trip.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/clock.h"
#include "bench/limits/memory_loops.h"
#include "bench/ranks/handlers.h"

namespace gasnet::bench {
namespace {

constexpr gasnet_node_t kServer = 1;
constexpr uint64_t kTripsInTail = 100;

volatile uint64_t pongs = 0;
volatile bool stopped = false;

void Ping(gasnet_token_t token) { gasnet_AMReplyShort0(token, kPong); }
void Pong(gasnet_token_t) { pongs = pongs + 1; }
void PingMedium(gasnet_token_t token, void* data, size_t nbytes) {
  gasnet_AMReplyMedium0(token, kPongMedium, data, nbytes);
}
void PongMedium(gasnet_token_t, void*, size_t) { pongs = pongs + 1; }
void PingLong(gasnet_token_t token, void*, size_t) {
  gasnet_AMReplyShort0(token, kPong);
}
void PingLongBack(gasnet_token_t token, void*, size_t nbytes) {
  gasnet_AMReplyLong0(token, kPongMedium, PrivateBuffer(), nbytes, DataOf(0));
}
void Stop(gasnet_token_t) { stopped = true; }

template <class Send>
double Ask(uint64_t rounds, Send send) {
  const uint64_t before = pongs;
  const int64_t start = NowNanos();
  for (uint64_t i = 1; i <= rounds; ++i) {
    send();
    GASNET_BLOCKUNTIL(pongs == before + i);
  }
  return static_cast<double>(NowNanos() - start) / static_cast<double>(rounds);
}

template <class Send>
double RoundTrips(uint64_t rounds, Send send) {
  stopped = false;
  Barrier();
  double nanos = 0;
  if (gasnet_mynode() == 0) {
    nanos = Ask(rounds, send);
    for (gasnet_node_t rank = 1; rank < gasnet_nodes(); ++rank) {
      gasnet_AMRequestShort0(rank, kStop);
    }
  } else {
    GASNET_BLOCKUNTIL(stopped);
  }
  Barrier();
  return nanos;
}

}  // namespace

void AddRoundTripHandlers(HandlerTable& table) {
  table.insert(table.end(), {
                                HandlerEntry(kPing, Ping),
                                HandlerEntry(kPong, Pong),
                                HandlerEntry(kPingMedium, PingMedium),
                                HandlerEntry(kPongMedium, PongMedium),
                                HandlerEntry(kPingLong, PingLong),
                                HandlerEntry(kPingLongBack, PingLongBack),
                                HandlerEntry(kStop, Stop),
                            });
}

double ShortRoundTrip(size_t, uint64_t rounds) {
  return RoundTrips(rounds, [] { gasnet_AMRequestShort0(kServer, kPing); });
}

double ShortRoundTripTail(size_t, uint64_t rounds) {
  std::vector<int64_t> times;
  times.reserve(kTripsInTail * rounds + 1);
  RoundTrips(kTripsInTail * rounds + 1, [&] {
    times.push_back(NowNanos());
    gasnet_AMRequestShort0(kServer, kPing);
  });
  if (times.empty()) return 0;
  // Replaces the time of each request by the time since the previous one.
  std::adjacent_difference(times.begin(), times.end(), times.begin());
  times.erase(times.begin());
  const auto at =
      times.begin() + static_cast<ptrdiff_t>(times.size() / 100 * 99);
  std::nth_element(times.begin(), at, times.end());
  return static_cast<double>(*at);
}

double MediumRoundTrip(size_t size, uint64_t rounds) {
  return RoundTrips(rounds, [=] {
    gasnet_AMRequestMedium0(kServer, kPingMedium, PrivateBuffer(), size);
  });
}

double LongShortReply(size_t size, uint64_t rounds) {
  return RoundTrips(rounds, [=] {
    gasnet_AMRequestLong0(kServer, kPingLong, PrivateBuffer(), size,
                          DataOf(kServer));
  });
}

double LongRoundTrip(size_t size, uint64_t rounds) {
  return RoundTrips(rounds, [=] {
    gasnet_AMRequestLong0(kServer, kPingLongBack, PrivateBuffer(), size,
                          DataOf(kServer));
  });
}

double NeighbourRoundTrips(size_t, uint64_t rounds) {
  const gasnet_node_t neighbour = (gasnet_mynode() + 1) % gasnet_nodes();
  Barrier();
  const int64_t start = NowNanos();
  Ask(rounds, [=] { gasnet_AMRequestShort0(neighbour, kPing); });
  Barrier();
  return static_cast<double>(NowNanos() - start) / static_cast<double>(rounds);
}

double BlockingRoundTrip(size_t size, uint64_t rounds) {
  gasnet_set_waitmode(GASNET_WAIT_BLOCK);
  const double nanos = ShortRoundTrip(size, rounds);
  gasnet_set_waitmode(GASNET_WAIT_SPINBLOCK);
  return nanos;
}

}  // namespace gasnet::bench
