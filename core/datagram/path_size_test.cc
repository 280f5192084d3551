// Tests datagram sizes on paths that silently drop large datagrams.
#include "core/datagram/path_size.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/datagram/testing/cluster.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

using testing::Cluster;

constexpr size_t kSure = 1200;
constexpr size_t kEthernet = 1440;
constexpr size_t kJumbo = 8928;
constexpr size_t kLongBytes = 60'000;
constexpr uint8_t kShort = am::kFirstClientHandler;
constexpr uint8_t kLong = kShort + 1;

int handled;
void OnShort(void*) { ++handled; }
void OnLong(void*, void*, size_t) { ++handled; }

TEST(PathSizesTest, AscendFromWhatIsSure) {
  const PathSizes jumbo(kSure, kJumbo);
  ASSERT_EQ(jumbo.top(), 2u);
  EXPECT_EQ(jumbo[0], kSure);
  EXPECT_EQ(jumbo[1], kEthernet);
  EXPECT_EQ(jumbo[2], kJumbo);
  const PathSizes ethernet(kSure, 1472);
  EXPECT_EQ(ethernet.top(), 2u);
  EXPECT_EQ(ethernet.most(), 1472u);
  const PathSizes ipv6(kSure, kEthernet);
  EXPECT_EQ(ipv6.top(), 1u);
  for (const size_t sure : {size_t{0}, kJumbo, kJumbo + 16}) {
    const PathSizes one(sure, kJumbo);
    EXPECT_EQ(one.top(), 0u) << sure;
    EXPECT_EQ(one.least(), kJumbo) << sure;
  }
}

TEST(PathSizeTest, BelievesNoStepThatDoesNotExist) {
  const PathSizes sizes(kSure, kEthernet);
  PathSize path(sizes);
  path.OnFlags(sizes, 3 << kStepShift);
  EXPECT_EQ(path.Bytes(), kEthernet);
  EXPECT_EQ(path.PadTo(sizes, am::Lane::kReply, 1, 100), 0u);
}

TEST(PathSizeTest, TriesWithAPacketThatFits) {
  const PathSizes sizes(kSure, kJumbo);
  PathSize path(sizes);
  EXPECT_EQ(path.PadTo(sizes, am::Lane::kReply, 1, kJumbo + 1), 0u);
  EXPECT_EQ(path.PadTo(sizes, am::Lane::kReply, 2, kJumbo), kJumbo);
  EXPECT_EQ(path.PadTo(sizes, am::Lane::kReply, 3, 100), 0u) << "one at a time";
  EXPECT_EQ(path.PadTo(sizes, am::Lane::kRequest, 2, 100), 0u);
}

TEST(PathSizeTest, AfterADoubtThePeerMustForgetBeforeItIsBelieved) {
  const PathSizes sizes(kSure, kJumbo);
  constexpr uint8_t kTop = 2 << kStepShift;
  PathSize path(sizes);
  path.Doubt(sizes);
  EXPECT_EQ(path.flags(), 0) << "nothing was proven";
  path.OnFlags(sizes, kTop);
  EXPECT_EQ(path.Bytes(), kJumbo);
  path.Doubt(sizes);
  EXPECT_EQ(path.Bytes(), kSure);
  EXPECT_EQ(path.flags(), kForget);
  EXPECT_EQ(path.PadTo(sizes, am::Lane::kReply, 9, 100), 0u);
  path.OnFlags(sizes, kTop);
  EXPECT_EQ(path.Bytes(), kSure) << "it was told before";
  path.OnFlags(sizes, 0);
  EXPECT_EQ(path.flags(), 0);
  EXPECT_EQ(path.PadTo(sizes, am::Lane::kReply, 10, 100), kJumbo);
  path.OnFlags(sizes, kTop);
  EXPECT_EQ(path.Bytes(), kJumbo);
}

TEST(PathSizeTest, ForgetsWhatHasArrivedWhenThePeerDoubts) {
  const PathSizes sizes(kSure, kJumbo);
  PathSize path(sizes);
  path.OnDatagram(sizes, kJumbo);
  EXPECT_EQ(path.flags(), 2 << kStepShift);
  path.OnFlags(sizes, kForget);
  EXPECT_EQ(path.flags(), 0);
  path.OnDatagram(sizes, kEthernet);
  EXPECT_EQ(path.flags(), 1 << kStepShift);
  path.OnFlags(sizes, kForget | 2 << kStepShift);
  EXPECT_EQ(path.flags(), 0);
  EXPECT_EQ(path.Bytes(), kJumbo) << "it may have heard us";
}

class PathSizeClusterTest : public ::testing::TestWithParam<bool> {
 protected:
  void Make(testing::NetworkOptions network, size_t sure = kSure) {
    network.max_datagram = kJumbo;
    DatagramOptions options;
    options.sure_datagram = sure;
    options.encrypt = GetParam();
    options.on_narrow = [this](Rank, size_t bytes) { told_.push_back(bytes); };
    cluster_ = std::make_unique<Cluster>(network, options);
    cluster_->Register(kShort, &OnShort);
    cluster_->Register(kLong, &OnLong);
    cluster_->network().Tap([this](Rank, Rank, ConstBytes datagram) {
      longest_ = std::max(longest_, datagram.size());
    });
    handled = 0;
  }

  void SendShorts(int count, Rank peer = 1) {
    for (int i = 0; i < count; ++i) {
      const int before = handled;
      ASSERT_EQ(
          cluster_->node(0).Send(peer, am::Lane::kRequest, {.handler = kShort}),
          am::Post::kDone);
      ASSERT_TRUE(cluster_->Run([&] { return handled == before + 1; }));
    }
  }

  // Verifies that a Long arrives whole, no matter where it is cut. The Long is
  // lent, so its packets are in two parts.
  void SendLong(std::byte value) {
    const std::vector<std::byte> source(kLongBytes, value);
    am::Loan loan;
    const int before = handled;
    ASSERT_EQ(cluster_->node(0).Send(1, am::Lane::kRequest,
                                     {.category = am::Category::kLong,
                                      .handler = kLong,
                                      .payload = source.data(),
                                      .nbytes = source.size(),
                                      .dest_addr = cluster_->node(1).segment(),
                                      .loan = &loan}),
              am::Post::kDone);
    ASSERT_TRUE(cluster_->Run([&] { return handled == before + 1; }));
    const std::byte* const there = cluster_->node(1).segment();
    EXPECT_EQ(std::count(there, there + kLongBytes, value),
              static_cast<std::ptrdiff_t>(kLongBytes));
    EXPECT_EQ(there[kLongBytes], std::byte{0});
  }

  size_t Size(Rank peer = 1) {
    return cluster_->node(0).endpoint().DatagramTo(peer);
  }

  std::unique_ptr<Cluster> cluster_;
  std::vector<size_t> told_;
  size_t longest_ = 0;
};

TEST_P(PathSizeClusterTest, OneExchangeProvesTheLargest) {
  Make({});
  EXPECT_EQ(Size(), kSure);
  SendShorts(1);
  EXPECT_EQ(Size(), kJumbo);
  longest_ = 0;
  SendShorts(1);
  EXPECT_LT(longest_, 200u) << "nothing is left to prove";
  SendLong(std::byte{1});
  EXPECT_EQ(longest_, kJumbo / 16 * 16);
  EXPECT_TRUE(told_.empty());
}

TEST_P(PathSizeClusterTest, ALongIsCutSmallWhileNothingIsProven) {
  Make({});
  SendLong(std::byte{1});
  SendLong(std::byte{2});
  EXPECT_EQ(Size(), kJumbo);
}

TEST_P(PathSizeClusterTest, WhereLargeOnesVanishTheNextSizeIsTried) {
  Make({.path_bytes = 1472});
  SendLong(std::byte{1});
  SendShorts(30);
  EXPECT_EQ(Size(), kEthernet);
  EXPECT_EQ(told_, std::vector<size_t>{kJumbo}) << "once";
  longest_ = 0;
  SendLong(std::byte{2});
  SendShorts(10);
  EXPECT_LE(longest_, kEthernet) << "what was given up is not tried again";
}

TEST_P(PathSizeClusterTest, WhatIsSureIsUsedWhereNothingElsePasses) {
  Make({.path_bytes = kSure});
  SendLong(std::byte{1});
  SendShorts(30);
  SendLong(std::byte{2});
  EXPECT_EQ(Size(), kSure);
  EXPECT_EQ(told_.size(), 1u);
}

TEST_P(PathSizeClusterTest, LossAloneIsNoReasonToGiveUp) {
  Make({.seed = 3, .faults = {.lose = 0.2, .reorder = 0.2, .corrupt = 0.1}});
  for (int i = 1; i < 20; ++i) SendLong(static_cast<std::byte>(i));
  EXPECT_EQ(Size(), kJumbo);
  EXPECT_TRUE(told_.empty());
}

// The peer polls so late that every packet has been repeated several times.
TEST_P(PathSizeClusterTest, APeerThatComputesIsNoReasonToGiveUp) {
  Make({});
  for (int i = 0; i < 20; ++i) {
    cluster_->SetAsleep(1, true);
    ASSERT_EQ(
        cluster_->node(0).Send(1, am::Lane::kRequest, {.handler = kShort}),
        am::Post::kDone);
    const int64_t awake = cluster_->network().Now() + 500'000'000;
    while (cluster_->network().Now() < awake) {
      cluster_->PollAll();
      ASSERT_TRUE(cluster_->PassTime(awake));
    }
    cluster_->SetAsleep(1, false);
    ASSERT_TRUE(cluster_->Run([&] { return handled == i + 1; }));
    EXPECT_EQ(Size(), kJumbo);
  }
  EXPECT_GT(cluster_->node(0).endpoint().statistics().timeouts, 20u);
  EXPECT_TRUE(told_.empty());
}

TEST_P(PathSizeClusterTest, NothingIsPaddedWhereAllIsSure) {
  Make({}, 0);
  SendShorts(10);
  EXPECT_EQ(Size(), kJumbo);
  EXPECT_LT(longest_, 200u);
}

TEST_P(PathSizeClusterTest, IsToldOfOnePeerOnly) {
  Make({.ranks = 4, .path_bytes = 1472});
  for (const Rank peer : {1u, 2u, 3u}) SendShorts(30, peer);
  for (const Rank peer : {1u, 2u, 3u}) EXPECT_EQ(Size(peer), kEthernet);
  EXPECT_EQ(told_.size(), 1u);
}

TEST(PathSizeTest, NobodyHasToBeTold) {
  DatagramOptions options;
  options.sure_datagram = kSure;
  Cluster cluster({.max_datagram = kJumbo, .path_bytes = kSure}, options);
  cluster.Register(kShort, &OnShort);
  handled = 0;
  for (int i = 1; i <= 30; ++i) {
    ASSERT_EQ(cluster.node(0).Send(1, am::Lane::kRequest, {.handler = kShort}),
              am::Post::kDone);
    ASSERT_TRUE(cluster.Run([&] { return handled == i; }));
  }
}

// The largest message takes hundreds of datagrams of the smallest size, but
// only few of the largest.
TEST(PathSizeTest, ManySmallDatagramsDoNotRaiseTheBoundOfThePool) {
  constexpr Rank kRanks = 20;
  DatagramOptions options;
  options.sure_datagram = kSure;
  Cluster cluster({.ranks = kRanks, .max_datagram = 64000}, options);
  cluster.Register(kLong, &OnLong);
  handled = 0;
  const std::vector<std::byte> payload(kLongBytes);
  const auto send = [&](Rank peer, size_t nbytes) {
    return cluster.node(0).Send(peer, am::Lane::kRequest,
                                {.category = am::Category::kMedium,
                                 .handler = kLong,
                                 .payload = payload.data(),
                                 .nbytes = nbytes}) == am::Post::kDone;
  };
  for (Rank peer = 1; peer < kRanks; ++peer) ASSERT_TRUE(send(peer, 1));
  ASSERT_TRUE(cluster.Run([] { return handled == kRanks - 1; }));
  size_t taken = 0;
  for (Rank peer = 1; peer < kRanks; ++peer) {
    while (send(peer, kLongBytes)) taken += kLongBytes;
  }
  EXPECT_GT(taken, options.pool_bytes / 4);
  EXPECT_LE(taken, options.pool_bytes);
}

INSTANTIATE_TEST_SUITE_P(Encrypted, PathSizeClusterTest, ::testing::Bool());

}  // namespace
}  // namespace gasnet::datagram
