// Tests the work of a poll besides handlers: a handler sees the arrivals that
// were registered before it, and timers are served at the right times.
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/datagram/testing/cluster.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

using am::Category;
using am::Lane;
using am::Post;
using testing::Cluster;

constexpr uint8_t kCount = am::kFirstClientHandler;
constexpr uint8_t kWantRoom = kCount + 1;

constexpr size_t kWide = 32'768;  // size of a datagram in bytes

Cluster* cluster;
std::vector<Post> rooms;

// Sends a Medium that fills its own packet.
Post Send(Rank from, Rank to, Lane lane, uint8_t handler) {
  static const std::vector<std::byte> payload(1200);
  return cluster->node(from).Send(to, lane,
                                  {.category = Category::kMedium,
                                   .handler = handler,
                                   .payload = payload.data(),
                                   .nbytes = payload.size()});
}

unsigned counted;
void OnCount(void*, void*, size_t) { ++counted; }

// A handler of rank 0. It records if there is room for a reply to rank 3. Its
// first call polls, so that it sees earlier arrivals.
void OnWantRoom(void*, void*, size_t) {
  testing::Node& node = cluster->node(0);
  if (rooms.empty()) node.Poll(am::Lanes::kReplies, node.dispatcher());
  rooms.push_back(Send(0, 3, Lane::kReply, kCount));
}

class PollTest : public ::testing::Test {
 protected:
  void Make(uint32_t ranks) {
    testing::NetworkOptions network;
    network.ranks = ranks;
    made_ = std::make_unique<Cluster>(network);
    cluster = made_.get();
    cluster->Register(kCount, &OnCount);
    cluster->Register(kWantRoom, &OnWantRoom);
    rooms.clear();
    counted = 0;
  }
  // Makes ranks with large datagrams.
  void MakeWide(uint32_t ranks = 2) {
    testing::NetworkOptions network;
    network.ranks = ranks;
    network.max_datagram = kWide;
    DatagramOptions options;
    options.sure_datagram = kWide;
    made_ = std::make_unique<Cluster>(network, options);
    cluster = made_.get();
    cluster->Register(kCount, &OnCount);
  }
  void SendLong(Rank from, Rank to) {
    static const std::vector<std::byte> payload(kWide);
    ASSERT_EQ(
        cluster->node(from).Send(to, Lane::kRequest,
                                 {.category = Category::kLong,
                                  .handler = kCount,
                                  .payload = payload.data(),
                                  .nbytes = payload.size(),
                                  .dest_addr = cluster->node(to).segment()}),
        Post::kDone);
  }
  // Polls without advancing time, so no timer expires.
  void PollUntilEmpty(Rank rank) {
    while (cluster->node(rank).Poll() > 0) {
    }
    // Polls once more, because the last poll may have found only
    // acknowledgements.
    cluster->node(rank).Poll();
  }
  // Waits until all that was sent has arrived.
  void Wait() {
    cluster->network().AdvanceTo(cluster->network().Now() + 1'000'000);
  }

 private:
  std::unique_ptr<Cluster> made_;
};

// The acknowledgement may come after any number of messages that arrive with
// it.
TEST_F(PollTest, AHandlerThatWaitsForRoomSeesTheAcknowledgement) {
  Make(5);
  while (Send(0, 3, Lane::kReply, kCount) == Post::kDone) {
  }
  // All messages but the last of each rank leave at once.
  for (const auto& [from, count] : {std::pair(1u, 16), {2u, 16}, {4u, 6}}) {
    for (int i = 0; i < count; ++i) {
      ASSERT_EQ(Send(from, 0, Lane::kRequest, kWantRoom), Post::kDone);
    }
  }
  Wait();
  cluster->node(3).Poll();
  Wait();
  cluster->node(0).Poll();
  ASSERT_EQ(rooms.size(), 35u);
  EXPECT_EQ(rooms.front(), Post::kDone);
  ASSERT_TRUE(cluster->Run([] { return true; }));
}

// Returns the number of polls of rank 0 until it serves its timers. Each poll
// receives a datagram that is no packet. `again` means that the thread is
// waiting.
int PollsThatPutTimersOff(bool again = false) {
  testing::Node& node = cluster->node(0);
  const uint64_t before = node.endpoint().statistics().timeouts;
  cluster->network().AdvanceTo(node.endpoint().NextDeadline());
  int polls = 0;
  while (node.endpoint().statistics().timeouts == before) {
    cluster->network().Inject(0, std::vector<std::byte>(100));
    again ? node.PollAgain(am::Lanes::kAll, node.dispatcher()) : node.Poll();
    if (++polls > 1000) break;
  }
  return polls;
}

TEST_F(PollTest, WhatComesInPutsTimersOffForAFewPolls) {
  Make(2);
  ASSERT_EQ(Send(0, 1, Lane::kRequest, kCount), Post::kDone);
  const int most = PollsThatPutTimersOff();
  EXPECT_GT(most, 1);
  EXPECT_EQ(PollsThatPutTimersOff(), most);
  // Makes one poll less than `most`. Then another thread serves the timers.
  testing::Node& node = cluster->node(0);
  cluster->network().AdvanceTo(node.endpoint().NextDeadline());
  for (int polls = 1; polls < most; ++polls) {
    cluster->network().Inject(0, std::vector<std::byte>(100));
    node.Poll();
  }
  node.endpoint().Maintain();
  EXPECT_EQ(PollsThatPutTimersOff(), most);
}

// A thread inside the endpoint may be preempted, so Maintain() must not wait
// for it.
TEST_F(PollTest, ToMaintainWaitsForNobodyWhoIsInside) {
  Make(2);
  testing::Node& node = cluster->node(0);
  int maintained = 0;
  node.port().on_send = [&] {
    node.endpoint().Maintain();
    ++maintained;
  };
  ASSERT_EQ(Send(0, 1, Lane::kRequest, kCount), Post::kDone);
  EXPECT_EQ(maintained, 1);
  node.port().on_send = nullptr;
}

// If datagrams arrive, the timers of a waiting thread are put off hardly longer
// than those of a thread that does not wait.
TEST_F(PollTest, WhatComesInPutsTheTimersOfWhoWaitsOffForAFewPolls) {
  Make(2);
  ASSERT_EQ(Send(0, 1, Lane::kRequest, kCount), Post::kDone);
  const int most = PollsThatPutTimersOff();
  EXPECT_LE(PollsThatPutTimersOff(true), most + 1);
}

// An acknowledgement counts from its arrival, although it is processed later.
TEST_F(PollTest, AnAcknowledgementMayBeTakenInLate) {
  Make(2);
  testing::Node& node = cluster->node(0);
  const Timing timing;
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(Send(0, 1, Lane::kRequest, kCount), Post::kDone);
    const int64_t sent = cluster->network().Now();
    if (i > 0) {
      // A round trip takes 1.06 ms: the delays of Wait() and of the
      // acknowledgement.
      EXPECT_LT(node.endpoint().NextDeadline(), sent + 4 * 1'060'000);
    }
    Wait();
    cluster->node(1).Poll();
    cluster->network().AdvanceTo(cluster->network().Now() + timing.ack_delay);
    cluster->node(1).endpoint().Maintain();
    cluster->network().AdvanceTo(cluster->network().NextArrival());
    node.Poll();
    EXPECT_FALSE(node.endpoint().Quiet());
    // The client computes in this time.
    cluster->network().AdvanceTo(cluster->network().Now() + 50'000'000);
    node.Poll();
    EXPECT_TRUE(node.endpoint().Quiet());
  }
  EXPECT_EQ(node.endpoint().statistics().retransmissions, 0u);
}

// All messages but the first are lost. Then the sender's client computes, and
// no acknowledgement is processed.
TEST_F(PollTest, AllThatWasLostIsSentAgainWhileTheClientComputes) {
  Make(2);
  testing::Node& node = cluster->node(0);
  constexpr unsigned kMessages = 4;
  for (unsigned i = 0; i < kMessages; ++i) {
    if (i == 1) cluster->network().SetFaults({.lose = 1});
    ASSERT_EQ(Send(0, 1, Lane::kRequest, kCount), Post::kDone);
  }
  cluster->network().SetFaults({});
  for (int expiry = 0; expiry < 20; ++expiry) {
    cluster->network().AdvanceTo(node.endpoint().NextDeadline());
    node.endpoint().Maintain();
    Wait();
    cluster->node(1).Poll();
  }
  EXPECT_EQ(counted, kMessages);
  EXPECT_TRUE(cluster->Run([] { return true; }));
}

// The thread that serves the timers processes the arrived acknowledgement
// first.
TEST_F(PollTest, NoTimerExpiresForWhatIsAcknowledged) {
  Make(2);
  testing::Node& node = cluster->node(0);
  ASSERT_EQ(Send(0, 1, Lane::kRequest, kCount), Post::kDone);
  Wait();
  cluster->node(1).Poll();
  Wait();
  cluster->node(1).endpoint().Maintain();
  Wait();
  node.Poll();
  ASSERT_FALSE(node.endpoint().Quiet());
  cluster->network().AdvanceTo(cluster->network().Now() + 1'000'000'000);
  node.endpoint().Maintain();
  EXPECT_TRUE(node.endpoint().Quiet());
  EXPECT_EQ(node.endpoint().statistics().timeouts, 0u);
}

// Acknowledgements are not deferred if a packet waits for room.
TEST_F(PollTest, AnAcknowledgementMakesRoomAtOnce) {
  Make(2);
  testing::Node& node = cluster->node(0);
  uint64_t sent = 0;
  while (Send(0, 1, Lane::kRequest, kCount) == Post::kDone) ++sent;
  const uint64_t packets = node.endpoint().statistics().packets_sent;
  ASSERT_LT(packets, sent);
  Wait();
  while (cluster->node(1).Poll() > 0) {
  }
  Wait();
  node.Poll();
  EXPECT_GT(node.endpoint().statistics().packets_sent, packets);
  ASSERT_TRUE(cluster->Run([] { return true; }));
}

// Two ranks send to each other. Each rank waits until its peer has received
// everything. While they wait, neither rank sends a packet that could carry an
// acknowledgement.
TEST_F(PollTest, WhatCrossesIsAcknowledgedWhenNothingMoreComes) {
  MakeWide();
  for (const Rank rank : {0u, 1u}) SendLong(rank, 1 - rank);
  Wait();
  for (const Rank rank : {0u, 1u}) {
    testing::Node& node = cluster->node(rank);
    node.Poll();
    EXPECT_EQ(node.endpoint().statistics().acks_sent, 0u) << "more may come";
    node.Poll();
    EXPECT_EQ(node.endpoint().statistics().acks_sent, 1u);
    node.Poll();
    EXPECT_EQ(node.endpoint().statistics().acks_sent, 1u);
  }
}

// The slower rank finds the peer's acknowledgement right after the peer's
// packet. Then it has nothing in flight any more. But the peer's loan still
// waits for the slower rank's acknowledgement.
TEST_F(PollTest, TheSlowerOfThoseThatCrossAcknowledgesAsSoon) {
  MakeWide();
  for (const Rank rank : {0u, 1u}) SendLong(rank, 1 - rank);
  Wait();
  PollUntilEmpty(0);
  EXPECT_EQ(cluster->node(0).endpoint().statistics().acks_sent, 1u);
  Wait();
  PollUntilEmpty(1);
  EXPECT_EQ(cluster->node(1).endpoint().statistics().acks_sent, 1u);
}

TEST_F(PollTest, WhatCrossesWithSeveralIsAcknowledgedToEach) {
  MakeWide(3);
  for (const Rank peer : {1u, 2u}) {
    SendLong(0, peer);
    SendLong(peer, 0);
  }
  Wait();
  PollUntilEmpty(0);
  EXPECT_EQ(cluster->node(0).endpoint().statistics().acks_sent, 2u);
}

// The receiver's next packet may carry the acknowledgement.
TEST_F(PollTest, WhatComesOneWayIsAcknowledgedLater) {
  MakeWide();
  SendLong(0, 1);
  Wait();
  testing::Node& receiver = cluster->node(1);
  for (int polls = 0; polls < 3; ++polls) receiver.Poll();
  EXPECT_EQ(receiver.endpoint().statistics().acks_sent, 0u);
  ASSERT_TRUE(cluster->Run([] { return true; }));
}

// A waiting thread does not read the clock in each poll.
TEST_F(PollTest, WhoWaitsSeesToTimersSoon) {
  Make(2);
  testing::Node& node = cluster->node(0);
  ASSERT_EQ(Send(0, 1, Lane::kRequest, kCount), Post::kDone);
  cluster->network().AdvanceTo(node.endpoint().NextDeadline());
  int polls = 0;
  while (node.endpoint().statistics().timeouts == 0) {
    node.PollAgain(am::Lanes::kAll, node.dispatcher());
    ASSERT_LE(++polls, 8);
  }
  EXPECT_GT(polls, 1);
}

}  // namespace
}  // namespace gasnet::datagram
