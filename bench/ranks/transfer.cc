#include "bench/ranks/transfer.h"

#include <gasnet.h>

#include "base/clock.h"
#include "bench/limits/memory_loops.h"
#include "bench/ranks/ranks.h"

namespace gasnet::bench {
namespace {

gasnet_node_t Peer() { return gasnet_nodes() - 1; }

}  // namespace

double PutConstant(size_t, uint64_t rounds) {
  const gasnet_node_t peer = Peer();
  auto* const there = reinterpret_cast<uint64_t*>(DataOf(peer));
  return OnRankZero(rounds, [=](uint64_t i) {
    gasnet_put(peer, &there[i % kLoopWords], &i, sizeof(i));
  });
}

double PutManyConstant(size_t, uint64_t rounds) {
  const gasnet_node_t peer = Peer();
  auto* const there = reinterpret_cast<uint64_t*>(DataOf(peer));
  const double nanos = OnRankZero(rounds, [=](uint64_t i) {
    gasnet_put_nbi(peer, &there[i % kLoopWords], &i, sizeof(i));
  });
  gasnet_wait_syncnbi_puts();
  return nanos;
}

double GetConstant(size_t, uint64_t rounds) {
  const gasnet_node_t peer = Peer();
  auto* const there = reinterpret_cast<uint64_t*>(DataOf(peer));
  return OnRankZero(rounds, [=](uint64_t i) {
    uint64_t value;
    gasnet_get(&value, peer, &there[i % kLoopWords], sizeof(value));
    Use(value);
  });
}

double Put(size_t size, uint64_t rounds) {
  return OnRankZero(rounds, [=](uint64_t) {
    gasnet_put_bulk(Peer(), DataOf(Peer()), PrivateBuffer(), size);
  });
}

double Get(size_t size, uint64_t rounds) {
  return OnRankZero(rounds, [=](uint64_t) {
    gasnet_get_bulk(PrivateBuffer(), Peer(), DataOf(Peer()), size);
  });
}

double Memset(size_t size, uint64_t rounds) {
  return OnRankZero(rounds, [=](uint64_t i) {
    gasnet_memset(Peer(), DataOf(Peer()), static_cast<int>(i), size);
  });
}

// Returns the maximum number of non-blocking transfers in progress at a time.
uint64_t Together(size_t size) { return size <= 64 ? 256 : 8; }

double PutMany(size_t size, uint64_t rounds) {
  const uint64_t together = Together(size);
  return OnRankZero(rounds, [=](uint64_t i) {
    gasnet_put_nbi_bulk(Peer(), DataOf(Peer()), PrivateBuffer(), size);
    if ((i + 1) % together == 0) gasnet_wait_syncnbi_puts();
    if (i + 1 == rounds) gasnet_wait_syncnbi_puts();
  });
}

double GetMany(size_t size, uint64_t rounds) {
  const uint64_t together = Together(size);
  return OnRankZero(rounds, [=](uint64_t i) {
    gasnet_get_nbi_bulk(PrivateBuffer(), Peer(), DataOf(Peer()), size);
    if ((i + 1) % together == 0) gasnet_wait_syncnbi_gets();
    if (i + 1 == rounds) gasnet_wait_syncnbi_gets();
  });
}

double OneBarrier(size_t, uint64_t rounds) {
  Barrier();
  const int64_t start = NowNanos();
  for (uint64_t i = 0; i < rounds; ++i) Barrier();
  return static_cast<double>(NowNanos() - start) / static_cast<double>(rounds);
}

double WaitAfterWork(size_t, uint64_t rounds) {
  constexpr int64_t kWork = 100'000;  // ns
  constexpr int kFlags = GASNET_BARRIERFLAG_ANONYMOUS;
  int64_t waited = 0;
  Barrier();
  for (uint64_t i = 0; i < rounds; ++i) {
    gasnet_barrier_notify(0, kFlags);
    const int64_t start = NowNanos();
    int64_t now = start;
    while (now - start < kWork) now = NowNanos();
    gasnet_barrier_wait(0, kFlags);
    waited += NowNanos() - now;
  }
  return static_cast<double>(waited) / static_cast<double>(rounds);
}

}  // namespace gasnet::bench
