// Tests endpoints over a perfect network: messages arrive, and cost no more
// packets than expected.
#include "core/datagram/endpoint.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/datagram/testing/cluster.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

using am::Category;
using am::Lane;
using am::Post;
using testing::Cluster;

constexpr uint8_t kPing = am::kFirstClientHandler;
constexpr uint8_t kPong = kPing + 1;
constexpr uint8_t kPut = kPing + 2;

Cluster* cluster;
int pings, pongs, puts, bad;

Rank SourceOf(void* token) { return static_cast<am::Token*>(token)->source; }

void OnPing(void* token, int32_t value, int32_t me) {
  ++pings;
  const int32_t args[] = {value + 1};
  if (cluster->node(static_cast<Rank>(me))
          .Send(SourceOf(token), Lane::kReply,
                {.handler = kPong, .num_args = 1, .args = args}) !=
      Post::kDone) {
    ++bad;
  }
}
void OnPong(void*, int32_t value) {
  ++pongs;
  if (value != 42) ++bad;
}
unsigned char Pattern(size_t i, size_t nbytes) {
  return static_cast<unsigned char>(i * 7 + nbytes);
}
void OnPut(void*, void* payload, size_t nbytes) {
  ++puts;
  if (reinterpret_cast<uintptr_t>(payload) % 16 != 0) ++bad;
  for (size_t i = 0; i < nbytes; ++i) {
    if (static_cast<unsigned char*>(payload)[i] != Pattern(i, nbytes)) {
      ++bad;
      break;
    }
  }
}

class EndpointTest : public ::testing::Test {
 protected:
  void Make(const testing::NetworkOptions& network = {},
            const DatagramOptions& options = {}) {
    made_ = std::make_unique<Cluster>(network, options);
    cluster = made_.get();
    pings = pongs = puts = bad = 0;
    cluster->Register(kPing, &OnPing);
    cluster->Register(kPong, &OnPong);
    cluster->Register(kPut, &OnPut);
  }
  Post Ping(Rank from, Rank to) {
    const int32_t args[] = {41, static_cast<int32_t>(to)};
    return cluster->node(from).Send(
        to, Lane::kRequest, {.handler = kPing, .num_args = 2, .args = args});
  }
  void Put(Rank from, Rank to, Category category, size_t nbytes,
           Lane lane = Lane::kRequest) {
    std::vector<unsigned char> payload(nbytes);
    for (size_t i = 0; i < nbytes; ++i) payload[i] = Pattern(i, nbytes);
    const am::Message message{.category = category,
                              .handler = kPut,
                              .payload = payload.data(),
                              .nbytes = nbytes,
                              .dest_addr = cluster->node(to).segment() + 64};
    cluster->SendPatiently(from, to, lane, message);
  }

  std::unique_ptr<Cluster> made_;
};

TEST_F(EndpointTest, PingPong) {
  Make();
  for (int round = 1; round <= 10; ++round) {
    ASSERT_EQ(Ping(0, 1), Post::kDone);
    ASSERT_TRUE(cluster->Run([&] { return pongs == round; }));
  }
  EXPECT_EQ(pings, 10);
  EXPECT_EQ(bad, 0);
}

TEST_F(EndpointTest, AnIdlePairNeedsOnePacketEachWay) {
  Make();
  constexpr int kRounds = 100;
  for (int round = 1; round <= kRounds; ++round) {
    ASSERT_EQ(Ping(0, 1), Post::kDone);
    while (pongs < round) {
      if (cluster->PollAll() == 0) {
        ASSERT_TRUE(cluster->PassTime());
      }
    }
  }
  EXPECT_EQ(cluster->network().sends(), 2u * kRounds);
  EXPECT_EQ(cluster->node(0).endpoint().statistics().acks_sent, 0u);
  EXPECT_EQ(cluster->node(1).endpoint().statistics().acks_sent, 0u);
  ASSERT_TRUE(cluster->Run([] { return true; }));
}

TEST_F(EndpointTest, AFloodOfSmallMessagesSharesPackets) {
  Make();
  constexpr int kMessages = 20'000;
  const uint64_t payload = 0;
  int sent = 0;
  const am::Message message{.category = Category::kMedium,
                            .handler = kPut,
                            .payload = &payload,
                            .nbytes = 0};
  while (sent < kMessages) {
    cluster->PollAll();
    if (cluster->node(0).Send(1, Lane::kRequest, message) == Post::kDone) {
      ++sent;
    } else {
      ASSERT_TRUE(cluster->PassTime());
    }
  }
  ASSERT_TRUE(cluster->Run([&] { return puts == kMessages; }));
  const DatagramStatistics statistics =
      cluster->node(0).endpoint().statistics();
  EXPECT_GE(statistics.messages_sent, 20 * statistics.packets_sent);
}

TEST_F(EndpointTest, PeersNeverSpokenToCostNothing) {
  testing::NetworkOptions network;
  network.ranks = 100;
  Make(network);
  EXPECT_EQ(cluster->node(0).endpoint().channels(), 0u);
  ASSERT_EQ(Ping(0, 1), Post::kDone);
  ASSERT_EQ(Ping(0, 2), Post::kDone);
  ASSERT_TRUE(cluster->Run([] { return pongs == 2; }));
  EXPECT_EQ(cluster->node(0).endpoint().channels(), 2u);
  EXPECT_EQ(cluster->node(1).endpoint().channels(), 1u);
  EXPECT_EQ(cluster->node(3).endpoint().channels(), 0u);
}

TEST_F(EndpointTest, ASenderToASilentPeerIsRefusedBeforeThePoolIsEmpty) {
  Make();
  cluster->SetAsleep(1, true);
  int sent = 0;
  while (Ping(0, 1) == Post::kDone) ++sent;
  EXPECT_GT(sent, 64 * 20) << "messages share the packets that wait";
  EXPECT_EQ(Ping(0, 1), Post::kRetry);
  const int32_t args[] = {41};
  const am::Message reply{.handler = kPong, .num_args = 1, .args = args};
  EXPECT_EQ(cluster->node(0).Send(1, Lane::kReply, reply), Post::kDone)
      << "replies have a lane of their own";
  cluster->SetAsleep(1, false);
  ASSERT_TRUE(cluster->Run([&] { return pings == sent && pongs == sent + 1; }));
  EXPECT_EQ(Ping(0, 1), Post::kDone) << "room again";
  ASSERT_TRUE(cluster->Run([&] { return pings == sent + 1; }));
}

TEST_F(EndpointTest, FragmentsGoToThePortInOneCallAndHaveOneLength) {
  Make();
  std::vector<size_t> sizes;
  cluster->network().Tap([&](Rank from, Rank, ConstBytes datagram) {
    if (from == 0) sizes.push_back(datagram.size());
  });
  Put(0, 1, Category::kLong, 14'000);
  EXPECT_EQ(cluster->network().sends(), 1u);
  ASSERT_EQ(sizes.size(), 11u);
  for (size_t i = 0; i + 1 < sizes.size(); ++i) EXPECT_EQ(sizes[i], sizes[0]);
  EXPECT_LE(sizes.back(), sizes[0]);
  ASSERT_TRUE(cluster->Run([] { return puts == 1; }));
  cluster->network().Tap(nullptr);
}

TEST_F(EndpointTest, AnIdleReceiverAcknowledgesAfterTheDelay) {
  Make();
  Put(0, 1, Category::kMedium, 8);
  ASSERT_TRUE(cluster->PassTime());
  const int64_t arrival = cluster->network().Now();
  cluster->node(1).Poll();
  ASSERT_EQ(puts, 1);
  EXPECT_FALSE(cluster->node(1).endpoint().Quiet());
  EXPECT_EQ(cluster->node(1).endpoint().statistics().acks_sent, 0u);
  const Timing timing;
  EXPECT_EQ(cluster->node(1).endpoint().NextDeadline(),
            arrival + timing.ack_delay);
  cluster->network().AdvanceTo(arrival + timing.ack_delay);
  // Another thread may send the acknowledgement without a poll.
  cluster->node(1).endpoint().Maintain();
  EXPECT_EQ(cluster->node(1).endpoint().statistics().acks_sent, 1u);
  ASSERT_TRUE(cluster->Run([] { return true; }));
  EXPECT_EQ(cluster->node(0).endpoint().statistics().retransmissions, 0u);
}

TEST_F(EndpointTest, RequestsAreKeptWhileOnlyRepliesAreServed) {
  Make();
  Put(0, 1, Category::kMedium, 100);
  Put(0, 1, Category::kLong, 30'000);
  Put(0, 1, Category::kMedium, 40'000);
  Put(0, 1, Category::kMedium, 77, Lane::kReply);
  testing::Node& node = cluster->node(1);
  for (int i = 0; i < 1000; ++i) {
    cluster->PassTime();
    node.Poll(am::Lanes::kReplies, node.dispatcher());
    cluster->node(0).Poll();
  }
  EXPECT_EQ(puts, 1) << "the reply";
  EXPECT_TRUE(cluster->node(0).endpoint().Quiet()) << "kept, so acknowledged";
  EXPECT_EQ(node.Poll(), 3u);
  EXPECT_EQ(bad, 0);
}

TEST_F(EndpointTest, RequestsBeyondWhatIsKeptAreAsGoodAsLost) {
  DatagramOptions options;
  options.kept_bytes = 1;
  Make({}, options);
  constexpr int kMessages = 30;
  for (int i = 0; i < kMessages; ++i) Put(0, 1, Category::kMedium, 1000);
  testing::Node& node = cluster->node(1);
  cluster->SetAsleep(1, true);
  while (node.endpoint().statistics().Dropped(Drop::kNoRoom) == 0) {
    cluster->PollAll();
    ASSERT_TRUE(cluster->PassTime());
    node.Poll(am::Lanes::kReplies, node.dispatcher());
  }
  EXPECT_EQ(puts, 0);
  EXPECT_FALSE(cluster->node(0).endpoint().Quiet());
  cluster->SetAsleep(1, false);
  ASSERT_TRUE(cluster->Run([] { return puts == kMessages; }));
  EXPECT_EQ(bad, 0);
}

// While this handler runs, another request for the same handler is kept.
constexpr uint8_t kRefill = kPing + 3;
void OnRefill(void*) {
  testing::Node& node = cluster->node(1);
  const auto received = [&] {
    return node.endpoint().statistics().packets_received;
  };
  const uint64_t before = received();
  cluster->node(0).Send(1, Lane::kRequest, {.handler = kRefill});
  for (int steps = 0; steps < 100 && received() == before; ++steps) {
    cluster->network().AdvanceTo(cluster->network().Now() + 1'000'000);
    node.Poll(am::Lanes::kReplies, node.dispatcher());
    cluster->node(0).Poll();
  }
}

TEST_F(EndpointTest, ALargeRequestThatWasKeptIsNotPassedByForEver) {
  Make();
  cluster->Register(kRefill, &OnRefill);
  Put(0, 1, Category::kMedium, 40'000);
  cluster->node(0).Send(1, Lane::kRequest, {.handler = kRefill});
  testing::Node& node = cluster->node(1);
  while (!cluster->node(0).endpoint().Quiet()) {
    ASSERT_TRUE(cluster->PassTime());
    node.Poll(am::Lanes::kReplies, node.dispatcher());
    cluster->node(0).Poll();
  }
  for (int polls = 0; polls < 10; ++polls) EXPECT_GT(node.Poll(), 1u);
  EXPECT_EQ(puts, 1);
  EXPECT_EQ(bad, 0);
}

using EndpointDeathTest = EndpointTest;

TEST_F(EndpointDeathTest, WhatCannotWorkIsNamed) {
  testing::NetworkOptions network;
  network.max_datagram = 300;
  EXPECT_DEATH(Make(network), "datagrams of 300 bytes; accepted: 512 and more");
  DatagramOptions options;
  options.depth = kWindow + 1;
  EXPECT_DEATH(Make({}, options), "depth 257; accepted: 1 to 256");
}

// Round trips take 40 ms, which is longer than the first timeout.
TEST_F(EndpointTest, TimeoutsBecomeLongerThanARoundTrip) {
  Make({.latency = 20'000'000});
  for (int i = 1; i <= 20; ++i) {
    ASSERT_EQ(Ping(0, 1), Post::kDone);
    ASSERT_TRUE(cluster->Run([&] { return pongs == i; }));
  }
  EXPECT_LE(cluster->node(0).endpoint().statistics().retransmissions, 4u);
}

// Polls for `nanos` nanoseconds of the network's time.
void PollFor(testing::Node& node, testing::MemoryNetwork& network,
             int64_t nanos) {
  for (const int64_t end = network.Now() + nanos; network.Now() < end;) {
    network.AdvanceTo(network.Now() + 1'000'000);
    node.Poll();
  }
}

TEST_F(EndpointDeathTest, ASilentPeerIsNamedWhereALimitIsSet) {
  constexpr int64_t kSecond = 1'000'000'000;
  DatagramOptions options;
  options.timing.silence_limit = 2 * kSecond;
  options.on_silent = [](Rank peer, int64_t silence) {
    std::fprintf(stderr, "rank %u silent for %lld s", peer,
                 static_cast<long long>(silence / kSecond));
    std::abort();
  };
  Make({}, options);
  ASSERT_EQ(Ping(0, 1), Post::kDone);
  PollFor(cluster->node(0), cluster->network(), kSecond);
  EXPECT_DEATH(PollFor(cluster->node(0), cluster->network(), 3 * kSecond),
               "rank 1 silent for 2 s");
  cluster->node(1).Poll();
  EXPECT_EQ(pings, 1);
  PollFor(cluster->node(0), cluster->network(), 4 * kSecond);
  EXPECT_EQ(pongs, 1);
}

TEST_F(EndpointTest, ASilentPeerMayComputeForEver) {
  constexpr int64_t kHour = 3600 * int64_t{1'000'000'000};
  Make();
  ASSERT_EQ(Ping(0, 1), Post::kDone);
  for (int i = 0; i < 24; ++i) {
    cluster->network().AdvanceTo(cluster->network().Now() + kHour);
    cluster->node(0).Poll();
  }
  cluster->node(1).Poll();
  EXPECT_EQ(pings, 1);
}

}  // namespace
}  // namespace gasnet::datagram
