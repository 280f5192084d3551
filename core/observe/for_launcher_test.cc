// Tests of the statistics of a rank that are encoded for the launcher.
#include "core/observe/for_launcher.h"

#include <stdlib.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "core/observe/network_counts.h"
#include "core/observe/observer.h"
#include "gtest/gtest.h"
#include "job/statistics/rank_statistics.h"

namespace {
std::atomic<int> allocations{0};
}  // namespace

void* operator new(size_t bytes) {
  ++allocations;
  void* const memory = malloc(bytes);
  if (memory == nullptr) abort();
  return memory;
}
void operator delete(void* memory) noexcept { free(memory); }
void operator delete(void* memory, size_t) noexcept { free(memory); }

namespace gasnet::observe {
namespace {

constexpr Rank kRanks = 5;

class ForLauncherTest : public testing::Test {
 protected:
  ForLauncherTest() {
    unsetenv("GASNET_STATSFILE");
    unsetenv("GASNET_TRACEFILE");
    observer_ = Observer::Make({.ranks = kRanks, .conduit = "loop"},
                               /*for_launcher=*/true);
    if (observer_ == nullptr) abort();
  }

  void Count(ThreadLog& log, Call call, Rank peer, uint64_t nbytes) {
    log.Of(call).calls.Add(1);
    log.Of(call).bytes.Add(nbytes);
    if (log.FindPeer(peer) == nullptr) log.AddPeer(peer);
    log.FindPeer(peer)->operations.Add(1);
    log.FindPeer(peer)->bytes.Add(nbytes);
  }
  job::RankStatistics Encoded() {
    std::string bytes;
    for_launcher_.Encode(*observer_,
                         [&bytes](std::string_view view) { bytes = view; });
    job::RankStatistics statistics;
    EXPECT_TRUE(job::Decode(bytes, statistics));
    return statistics;
  }

  std::unique_ptr<Observer> observer_;
  ForLauncher for_launcher_{kRanks};
};

TEST_F(ForLauncherTest, AllCountsArrive) {
  ThreadLog& log = observer_->NewLog();
  Count(log, Call::kPut, 1, 10);
  Count(log, Call::kPut, 3, 30);
  Count(log, Call::kGet, 3, 5);
  log.OfHandler(200).runs.Set(7);
  log.OfWait(WaitFor::kBarrier).Note(4);
  log.OfHandler(7).sent.Set(4);
  log.OfHandler(8).sent.Set(5);
  log.OfHandler(8).sent_bytes.Set(80);
  log.OfTransfers(TransferKind::kPut).posted.Set(2);
  log.OfTransfers(TransferKind::kPut).bytes.Set(64);
  log.OfTransfers(TransferKind::kGet).posted.Set(3);
  log.OfTransfers(TransferKind::kGet).bytes.Set(24);
  const NetworkCounts network(nullptr, [](const void*, NetworkCounts::Add add) {
    add("packets_sent_again", 6);
  });
  const job::RankStatistics statistics = Encoded();
  ASSERT_EQ(statistics.calls.size(), 2u);
  EXPECT_EQ(statistics.calls[0].name, "gasnet_get");
  EXPECT_EQ(statistics.calls[1].calls, 2u);
  EXPECT_EQ(statistics.calls[1].bytes, 40u);
  EXPECT_EQ(statistics.handlers, 7u);
  ASSERT_EQ(statistics.waits.size(), 1u);
  EXPECT_EQ(statistics.waits[0].what, WaitFor::kBarrier);
  EXPECT_EQ(statistics.network,
            (std::vector<job::NetworkStatistics>{{"library_messages", 9},
                                                 {"library_message_bytes", 80},
                                                 {"native_puts", 2},
                                                 {"native_put_bytes", 64},
                                                 {"native_gets", 3},
                                                 {"native_get_bytes", 24},
                                                 {"packets_sent_again", 6}}));
  ASSERT_EQ(statistics.peers.size(), 2u);
  EXPECT_EQ(statistics.peers[0].peer, 3u);
  EXPECT_EQ(statistics.peers[0].bytes, 35u);
  EXPECT_EQ(statistics.peers[1].peer, 1u);
  EXPECT_EQ(statistics.other_operations, 0u);
}

TEST_F(ForLauncherTest, ALaterEncodingReplacesAnEarlierOne) {
  ThreadLog& log = observer_->NewLog();
  Count(log, Call::kPut, 1, 10);
  EXPECT_EQ(Encoded().peers.size(), 1u);
  Count(log, Call::kPut, 2, 10);
  EXPECT_EQ(Encoded().peers.size(), 2u);
  EXPECT_EQ(Encoded().calls.size(), 1u);
}

// A signal handler that has interrupted the allocator may encode.
TEST_F(ForLauncherTest, EncodingAllocatesNothing) {
  ThreadLog& log = observer_->NewLog();
  for (Rank peer = 0; peer < kRanks; ++peer) {
    Count(log, Call::kGexVISVectorPutBlocking, peer, 10 * peer);
  }
  size_t size = 0;
  const int before = allocations;
  for_launcher_.Encode(*observer_,
                       [&size](std::string_view view) { size = view.size(); });
  EXPECT_EQ(allocations, before);
  EXPECT_GT(size, 0u);
}

}  // namespace
}  // namespace gasnet::observe
