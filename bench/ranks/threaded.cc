#include "bench/ranks/threaded.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/cpu.h"
#include "bench/limits/memory_loops.h"
#include "bench/ranks/handlers.h"

namespace gasnet::bench {
namespace {

// Counters of one thread's messages, on a cache line of its own.
struct alignas(64) Tally {
  std::atomic<uint64_t> pings{0};  // messages from the other rank's thread
  std::atomic<uint64_t> pongs{0};  // replies to this rank's thread
};

Tally tallies[kMaxThreads];

void Ping(gasnet_token_t token, gasnet_handlerarg_t thread) {
  tallies[thread].pings.fetch_add(1, std::memory_order_relaxed);
  gasnet_AMReplyShort1(token, kThreadPong, thread);
}

// Counts a reply. Release: pairs with the acquire of the thread that waits for
// the reply.
void Pong(gasnet_token_t, gasnet_handlerarg_t thread) {
  tallies[thread].pongs.fetch_add(1, std::memory_order_release);
}

void Count(gasnet_token_t, void*, size_t, gasnet_handlerarg_t thread) {
  tallies[thread].pings.fetch_add(1, std::memory_order_release);
}

gasnet_node_t Other() { return 1 - gasnet_mynode(); }

void PingPong(int thread, uint64_t rounds) {
  const Tally& tally = tallies[thread];
  for (uint64_t i = 1; i <= rounds; ++i) {
    gasnet_AMRequestShort1(Other(), kThreadPing, thread);
    GASNET_BLOCKUNTIL(tally.pongs.load(std::memory_order_acquire) >= i);
  }
}

void SendCounts(int thread, uint64_t rounds) {
  for (uint64_t i = 0; i < rounds; ++i) {
    gasnet_AMRequestMedium1(Other(), kThreadCount, &i, sizeof(i), thread);
  }
}

void AwaitCounts(int thread, uint64_t rounds) {
  const Tally& tally = tallies[thread];
  GASNET_BLOCKUNTIL(tally.pings.load(std::memory_order_acquire) >= rounds);
}

void SendCountsFromRankZero(int thread, uint64_t rounds) {
  if (gasnet_mynode() == 0) {
    SendCounts(thread, rounds);
  } else {
    AwaitCounts(thread, rounds);
  }
}

void ExchangeCounts(int thread, uint64_t rounds) {
  SendCounts(thread, rounds);
  AwaitCounts(thread, rounds);
}

// Returns words in the other rank's memory that only this thread writes.
uint64_t* WordsThere(int thread) {
  return reinterpret_cast<uint64_t*>(DataOf(Other())) +
         static_cast<uint64_t>(thread) * kLoopWords;
}

void PutWords(int thread, uint64_t rounds) {
  uint64_t* const there = WordsThere(thread);
  for (uint64_t i = 1; i <= rounds; ++i) {
    gasnet_put(Other(), &there[i % kLoopWords], &i, sizeof(i));
  }
}

void PutWordsImplicitly(int thread, uint64_t rounds) {
  uint64_t* const there = WordsThere(thread);
  for (uint64_t i = 1; i <= rounds; ++i) {
    gasnet_put_nbi(Other(), &there[i % kLoopWords], &i, sizeof(i));
    // The next puts write the same words again.
    if (i % kLoopWords == 0) gasnet_wait_syncnbi_puts();
  }
  gasnet_wait_syncnbi_puts();
}

uint64_t EachOf(int threads, uint64_t rounds) {
  return rounds / static_cast<uint64_t>(threads) + 1;
}

// Returns nanoseconds per operation, measured until all threads of both ranks
// have finished. Threads that wait, and the barrier, poll the network.
template <class Work>
double TimeOf(int threads, uint64_t rounds, Work work) {
  const uint64_t each = EachOf(threads, rounds);
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

// Checks that each thread has got `wanted` messages from its partner. Returns
// when all ranks have checked. So no rank sends the next messages too early.
void CheckPings(int threads, uint64_t wanted) {
  for (int i = 0; i < threads; ++i) {
    const uint64_t pings = tallies[i].pings;
    if (pings != wanted) Wrong("the number of messages", i, pings, wanted);
  }
  Barrier();
}

void CheckPuts(int threads, uint64_t each) {
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
}

// Returns TimeOf(`work`). `work` makes each thread send the same number of
// messages to its partner on the other rank. Exchange then checks that number.
template <class Work>
double Exchange(int threads, uint64_t rounds, Work work) {
  const double nanos = TimeOf(threads, rounds, work);
  CheckPings(threads, EachOf(threads, rounds));
  return nanos;
}

template <class Work>
double Puts(int threads, uint64_t rounds, Work work) {
  const double nanos = TimeOf(threads, rounds, work);
  CheckPuts(threads, EachOf(threads, rounds));
  return nanos;
}

}  // namespace

void AddThreadedHandlers(HandlerTable& table) {
  table.push_back(HandlerEntry(kThreadPing, Ping));
  table.push_back(HandlerEntry(kThreadPong, Pong));
  table.push_back(HandlerEntry(kThreadCount, Count));
}

double RoundTrips(int threads, uint64_t rounds) {
  return Exchange(threads, rounds, PingPong);
}

double OneSidedFlood(int threads, uint64_t rounds) {
  const double nanos = TimeOf(threads, rounds, SendCountsFromRankZero);
  CheckPings(threads, gasnet_mynode() == 0 ? 0 : EachOf(threads, rounds));
  return nanos;
}

double TwoSidedFlood(int threads, uint64_t rounds) {
  return Exchange(threads, rounds, ExchangeCounts);
}

double BlockingPuts(int threads, uint64_t rounds) {
  return Puts(threads, rounds, PutWords);
}

double ImplicitPuts(int threads, uint64_t rounds) {
  return Puts(threads, rounds, PutWordsImplicitly);
}

// If this rank is bound to its share of the processors, OnlineCpus() is that
// share. Otherwise the share is half of all processors.
double PerfectScaling(int threads) {
  const auto all = static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN));
  const unsigned share = std::min(OnlineCpus(), std::max(1U, all / 2));
  return std::min(static_cast<unsigned>(threads), share);
}

}  // namespace gasnet::bench
