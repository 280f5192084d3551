// Tests over a port that accepts nothing for a while, like a socket with a full
// buffer.
#include <cstdint>
#include <memory>
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

int counted;
void OnCount(void*, void*, size_t) { ++counted; }

class FullPortTest : public ::testing::Test {
 protected:
  FullPortTest() {
    counted = 0;
    cluster_.Register(kCount, &OnCount);
  }
  // Sends a Medium that fills its own packet.
  bool Send() {
    static const std::vector<std::byte> payload(1200);
    const Post post = cluster_.node(0).Send(1, Lane::kRequest,
                                            {.category = Category::kMedium,
                                             .handler = kCount,
                                             .payload = payload.data(),
                                             .nbytes = payload.size()});
    if (post != Post::kDone) return false;
    ++sent_;
    return true;
  }
  void Stream(int messages) {
    for (const int end = sent_ + messages; sent_ < end;) {
      if (!Send() && cluster_.PollAll() == 0) {
        ASSERT_TRUE(cluster_.PassTime());
      }
    }
    ASSERT_TRUE(cluster_.Run([&] { return counted == sent_; }));
  }
  testing::MemoryNetwork& network() { return cluster_.network(); }

  Cluster cluster_{testing::NetworkOptions{}};
  int sent_ = 0;
};

// A datagram is sealed anew each time it is offered to the port. To avoid this
// cost, only one packet is offered while the port refuses.
TEST_F(FullPortTest, IsOfferedOnePacketUntilItTakesThat) {
  Stream(2000);  // grows the window
  network().SetFaults({.refuse = 1});
  while (Send()) {
  }
  const uint64_t offered = network().offered();
  constexpr int kAttempts = 100;
  testing::Node& sender = cluster_.node(0);
  for (int i = 0; i < kAttempts; ++i) {
    network().AdvanceTo(sender.endpoint().NextDeadline());
    sender.Poll();
  }
  EXPECT_GE(network().offered(), offered + kAttempts) << "it is asked again";
  EXPECT_LE(network().offered(), offered + 4 * kAttempts);
  network().SetFaults({});
  Stream(0);
}

TEST_F(FullPortTest, IsOfferedLittleMoreThanItTakes) {
  Stream(2000);
  const uint64_t taken = network().datagrams();
  const uint64_t offered = network().offered();
  network().SetFaults({.refuse = 0.6});
  Stream(5000);
  // The port accepts two of five datagrams on average. Datagrams that are
  // offered one at a time are refused at the same rate.
  EXPECT_LE(network().offered() - offered, 5 * (network().datagrams() - taken))
      << "seed " << network().options().seed;
}

}  // namespace
}  // namespace gasnet::datagram
