#include "bench/ranks/threaded.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>

#include "base/clock.h"
#include "bench/limits/memory_loops.h"
#include "bench/ranks/handlers.h"

namespace gasnet::bench {
namespace {

// Counters of one thread's messages, on a cache line of its own.
struct alignas(64) Tally {
  std::atomic<uint64_t> pings{0};  // from the other rank's thread
  std::atomic<uint64_t> pongs{0};  // replies to ours
};

Tally tallies[kThreads];

void Ping(gasnet_token_t token, gasnet_handlerarg_t thread) {
  tallies[thread].pings.fetch_add(1, std::memory_order_relaxed);
  gasnet_AMReplyShort1(token, kThreadPong, thread);
}

// Release, for the thread that waits for the reply.
void Pong(gasnet_token_t, gasnet_handlerarg_t thread) {
  tallies[thread].pongs.fetch_add(1, std::memory_order_release);
}

gasnet_node_t Other() { return 1 - gasnet_mynode(); }

void PingPong(int thread, uint64_t rounds) {
  const Tally& tally = tallies[thread];
  for (uint64_t i = 1; i <= rounds; ++i) {
    gasnet_AMRequestShort1(Other(), kThreadPing, thread);
    GASNET_BLOCKUNTIL(tally.pongs.load(std::memory_order_acquire) >= i);
  }
}

// Each thread writes words of its own.
void PutWords(int thread, uint64_t rounds) {
  auto* const there = reinterpret_cast<uint64_t*>(DataOf(Other())) +
                      static_cast<uint64_t>(thread) * kLoopWords;
  for (uint64_t i = 1; i <= rounds; ++i) {
    gasnet_put(Other(), &there[i % kLoopWords], &i, sizeof(i));
  }
}

// The time until all threads of both ranks are done. While one of them waits it
// polls; then the barrier does.
template <class Work>
double OnThreads(int threads, uint64_t rounds, Work work) {
  const uint64_t each = rounds / static_cast<uint64_t>(threads) + 1;
  for (Tally& tally : tallies) {
    tally.pings = 0;
    tally.pongs = 0;
  }
  Barrier();
  const int64_t start = NowNanos();
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work, i, each);
  work(0, each);
  for (std::thread& other : others) other.join();
  Barrier();
  return static_cast<double>(NowNanos() - start) /
         static_cast<double>(each * static_cast<uint64_t>(threads));
}

[[noreturn]] void Wrong(const char* what, int thread, uint64_t found,
                        uint64_t wanted) {
  fprintf(stderr, "threads: rank %u, thread %d: %s is %llu, not %llu\n",
          gasnet_mynode(), thread, what, static_cast<unsigned long long>(found),
          static_cast<unsigned long long>(wanted));
  gasnet_exit(1);
}

double RoundTrips(int threads, uint64_t rounds) {
  const double nanos = OnThreads(threads, rounds, PingPong);
  const uint64_t each = rounds / static_cast<uint64_t>(threads) + 1;
  for (int i = 0; i < threads; ++i) {
    const uint64_t pings = tallies[i].pings;
    if (pings != each) Wrong("the number of pings", i, pings, each);
  }
  // Nobody begins anew while another still counts.
  Barrier();
  return nanos;
}

double Puts(int threads, uint64_t rounds) {
  const double nanos = OnThreads(threads, rounds, PutWords);
  const uint64_t each = rounds / static_cast<uint64_t>(threads) + 1;
  for (int i = 0; i < threads; ++i) {
    uint64_t last;
    memcpy(&last,
           DataOf(gasnet_mynode()) +
               (static_cast<uint64_t>(i) * kLoopWords + each % kLoopWords) *
                   sizeof(last),
           sizeof(last));
    if (last != each) Wrong("the last word put", i, last, each);
  }
  Barrier();
  return nanos;
}

}  // namespace

void AddThreadedHandlers(HandlerTable& table) {
  table.push_back(HandlerEntry(kThreadPing, Ping));
  table.push_back(HandlerEntry(kThreadPong, Pong));
}

double ThreadedRoundTrips(size_t, uint64_t rounds) {
  return RoundTrips(kThreads, rounds);
}
double ThreadedPuts(size_t, uint64_t rounds) { return Puts(kThreads, rounds); }
double OneThreadRoundTrips(size_t, uint64_t rounds) {
  return RoundTrips(1, rounds);
}
double OneThreadPuts(size_t, uint64_t rounds) { return Puts(1, rounds); }

}  // namespace gasnet::bench
