// Tests of the end of a process: everything that was sent arrives, and no peer
// delays the end.
#include <cstdint>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "core/datagram/testing/cluster.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

using am::Lane;
using am::Post;
using testing::Cluster;
using testing::Node;

constexpr uint8_t kPing = am::kFirstClientHandler;
constexpr uint8_t kPong = kPing + 1;
constexpr int64_t kMoment = 100'000;
constexpr int64_t kLimit = 250'000'000;

Node* answers;
int pings, pongs;

void OnPing(void* token) {
  ++pings;
  answers->Send(static_cast<am::Token*>(token)->source, Lane::kReply,
                {.handler = kPong});
}
void OnPong(void*) { ++pongs; }

// Rank 0 leaves; rank 1 stays.
class DrainTest : public ::testing::Test {
 protected:
  void Make(const testing::NetworkOptions& network = {},
            const DatagramOptions& options = {}) {
    pings = pongs = 0;
    cluster_ = std::make_unique<Cluster>(network, options);
    cluster_->Register(kPing, &OnPing);
    cluster_->Register(kPong, &OnPong);
    answers = &cluster_->node(1);
  }
  Post Ping() {
    return cluster_->node(0).Send(1, Lane::kRequest, {.handler = kPing});
  }
  testing::MemoryNetwork& network() { return cluster_->network(); }
  DatagramEndpoint& leaving() { return cluster_->node(0).endpoint(); }
  void Wait(int64_t nanos = 1'000'000) {
    network().AdvanceTo(network().Now() + nanos);
  }
  // Drains rank 0 while rank 1 polls.
  bool Drain() {
    return leaving().Drain(network().Now() + kLimit, [this] {
      Wait(kMoment);
      cluster_->node(1).Poll();
    });
  }

  std::unique_ptr<Cluster> cluster_;
};

TEST_F(DrainTest, AcknowledgesAndRunsNoHandler) {
  Make();
  ASSERT_EQ(Ping(), Post::kDone);
  EXPECT_FALSE(leaving().DrainStep());
  Wait();
  cluster_->node(1).Poll();
  EXPECT_EQ(pings, 1);
  Wait();
  EXPECT_TRUE(leaving().DrainStep());
  EXPECT_EQ(pongs, 0);
  EXPECT_EQ(leaving().statistics().packets_received, 1u);
  EXPECT_EQ(leaving().statistics().messages_delivered, 0u);
  Wait();
  cluster_->node(1).Poll();
  cluster_->node(1).Poll();  // receives the acknowledgement
  EXPECT_TRUE(cluster_->node(1).endpoint().Quiet());
}

// Sends more than the network carries at once, and messages that wait to share
// a packet.
TEST_F(DrainTest, AllThatWasSentArrivesInTime) {
  for (const double lose : {0.0, 0.1, 0.3}) {
    testing::NetworkOptions network;
    network.faults.lose = lose;
    Make(network);
    int sent = 0;
    while (Ping() == Post::kDone) ++sent;
    EXPECT_GT(sent, 1000);
    EXPECT_TRUE(Drain()) << "losing " << lose << ", seed " << network.seed;
    EXPECT_EQ(pings, sent);
    EXPECT_EQ(pongs, 0);
  }
}

TEST_F(DrainTest, SendsAgainWhatWasLost) {
  testing::NetworkOptions network;
  network.faults.lose = 0.5;
  Make(network);
  for (int i = 0; i < 10; ++i) ASSERT_EQ(Ping(), Post::kDone);
  for (int steps = 0; !leaving().DrainStep(); ++steps) {
    ASSERT_LT(steps, 100'000) << "seed " << network.seed;
    Wait();
    cluster_->node(1).Poll();
  }
  EXPECT_EQ(pings, 10);
  EXPECT_EQ(pongs, 0);
}

// The path is too narrow, so each packet that is padded to prove a size is
// lost.
TEST_F(DrainTest, OverANarrowPathAllArrivesInTime) {
  testing::NetworkOptions network;
  network.max_datagram = 8928;
  network.path_bytes = 1200;
  network.faults.lose = 0.1;
  DatagramOptions options;
  options.sure_datagram = 1200;
  for (network.seed = 1; network.seed <= 10; ++network.seed) {
    Make(network, options);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(Ping(), Post::kDone);
    EXPECT_TRUE(Drain()) << "seed " << network.seed;
    EXPECT_EQ(pings, 100);
  }
}

TEST_F(DrainTest, APeerThatIsGoneHoldsItUpUntilTheLimit) {
  Make();
  ASSERT_EQ(Ping(), Post::kDone);
  const int64_t begin = network().Now();
  EXPECT_FALSE(leaving().Drain(begin + kLimit, [&] { Wait(kMoment); }));
  EXPECT_EQ(network().Now(), begin + kLimit);
  EXPECT_GT(leaving().statistics().retransmissions, 0u) << "it was tried";
}

// Tests a peer that has left, according to the launcher.
TEST_F(DrainTest, APeerThatHasLeftHoldsUpNobody) {
  bool has_left = false;
  DatagramOptions options;
  options.has_left = [&](Rank peer) { return peer == 1 && has_left; };
  Make({}, options);
  // Sends until there is no room for another message. Then whole packets are in
  // flight or waiting, and one packet is still being filled.
  while (Ping() == Post::kDone) {
  }
  EXPECT_FALSE(
      leaving().Drain(network().Now() + kLimit, [&] { Wait(kMoment); }));
  has_left = true;
  EXPECT_TRUE(leaving().Drain(kNever, [&] { Wait(kMoment); }));
  EXPECT_TRUE(leaving().Quiet());
}

// A later message to a peer that has left finds room, but is not sent.
TEST_F(DrainTest, APeerThatHasLeftHoldsUpNoSend) {
  DatagramOptions options;
  options.has_left = [](Rank peer) { return peer == 1; };
  options.timing.silence_limit = kLimit;
  options.on_silent = [](Rank, int64_t) { FAIL() << "it has left"; };
  Make({}, options);
  for (int sent = 0; sent < 20'000;) {
    if (Ping() == Post::kDone) {
      ++sent;
    } else {
      Wait(kMoment);
      cluster_->node(0).Poll();
    }
  }
  EXPECT_TRUE(leaving().Drain(kNever, [&] { Wait(kMoment); }));
}

TEST_F(DrainTest, OthersGetTheirsThoughOneHasLeft) {
  DatagramOptions options;
  options.has_left = [](Rank peer) { return peer == 2; };
  testing::NetworkOptions network;
  network.ranks = 3;
  network.faults.lose = 0.5;
  Make(network, options);
  ASSERT_EQ(cluster_->node(0).Send(2, Lane::kRequest, {.handler = kPing}),
            Post::kDone);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(Ping(), Post::kDone);
  EXPECT_TRUE(leaving().Drain(kNever, [this] {
    Wait(kMoment);
    cluster_->node(1).Poll();
  }));
  EXPECT_EQ(pings, 100);
}

TEST_F(DrainTest, WithNothingUnderWayItIsOverAtOnce) {
  Make();
  EXPECT_TRUE(leaving().Drain(network().Now(), [] { FAIL() << "it waits"; }));
}

// Simulates a signal that ends the process during a send. The interrupted send
// holds the lock.
TEST_F(DrainTest, AStepInsideASendReturnsAtOnce) {
  Make();
  int steps = 0;
  network().Tap([&](Rank, Rank, ConstBytes) {
    EXPECT_FALSE(leaving().DrainStep());
    EXPECT_EQ(leaving().drain_steps(), 0u) << "there was none";
    ++steps;
  });
  ASSERT_EQ(Ping(), Post::kDone);
  EXPECT_EQ(steps, 1);
  network().Tap(nullptr);
  EXPECT_FALSE(leaving().DrainStep());
  EXPECT_EQ(leaving().drain_steps(), 1u);
  EXPECT_TRUE(Drain());
  EXPECT_EQ(pings, 1);
}

// A peer that sends continuously does not delay the end of a step.
TEST_F(DrainTest, AStepEnds) {
  Make();
  ASSERT_EQ(Ping(), Post::kDone);
  for (int i = 0; i < 10'000; ++i) {
    network().Inject(0, std::vector<std::byte>(100));
  }
  EXPECT_FALSE(leaving().DrainStep());
  EXPECT_TRUE(cluster_->node(0).Poll() == 0);
  const uint64_t forged = leaving().statistics().Dropped(Drop::kForged);
  EXPECT_GT(forged, 0u);
  EXPECT_LT(forged, 10'000u) << "it took all there was";
}

// Datagrams may still be in flight when their ranks have ended. Then they may
// reach ranks of the next job with the same ports. Those ranks must refuse
// them.
TEST(LateDatagramsTest, AreForNobody) {
  testing::MemoryNetwork network({});
  const auto make = [&](Rank me, unsigned char job) {
    return std::make_unique<Node>(network,
                                  DatagramOptions{{.me = me, .ranks = 2}},
                                  testing::TestSeal(job));
  };
  for (const Rank me : {0u, 1u}) {
    auto before = make(me, 1);
    ASSERT_EQ(before->Send(1 - me, Lane::kRequest, {.handler = kPing}),
              Post::kDone);
  }
  const auto zero = make(0, 2);
  const auto one = make(1, 2);
  zero->dispatcher().handlers().RegisterClient(
      kPong, reinterpret_cast<am::AnyHandler>(&OnPong));
  one->dispatcher().handlers().RegisterClient(
      kPing, reinterpret_cast<am::AnyHandler>(&OnPing));
  answers = one.get();
  pings = pongs = 0;
  ASSERT_EQ(zero->Send(1, Lane::kRequest, {.handler = kPing}), Post::kDone);
  for (int steps = 0; pongs == 0 || !one->endpoint().Quiet(); ++steps) {
    ASSERT_LT(steps, 1000) << "nothing more happens";
    network.AdvanceTo(network.Now() + kMoment);
    zero->Poll();
    one->Poll();
  }
  EXPECT_EQ(pings, 1);
  EXPECT_EQ(zero->endpoint().statistics().Dropped(Drop::kForged), 1u);
  EXPECT_EQ(one->endpoint().statistics().Dropped(Drop::kForged), 1u);
}

}  // namespace
}  // namespace gasnet::datagram
