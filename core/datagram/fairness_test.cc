// Tests in virtual time how streams share a link with another stream of this
// kind, or with TCP. The link carries one byte per nanosecond.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/datagram/testing/cluster.h"
#include "core/datagram/testing/tcp_flow.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

using testing::Cluster;
using testing::NetworkOptions;
using testing::TcpFlow;

constexpr size_t kPut = 65536;
constexpr int64_t kMilli = 1'000'000;
// The minimum fraction of the link's bandwidth that must be used. With a delay
// of 100 us each way, the window must be large to fill the link. If one packet
// in a hundred is lost, the window only just becomes so large.
constexpr double kMinUse = 0.5;

std::array<uint64_t, 4> received;  // bytes of Longs, by source
void OnPut(void* token, void*, size_t nbytes) {
  received[static_cast<am::Token*>(token)->source] += nbytes;
}

// Returns a network in which ranks 0 and 1 send to ranks 2 and 3.
NetworkOptions OneLink(int64_t latency, uint64_t seed) {
  NetworkOptions network;
  network.ranks = 4;
  network.seed = seed;
  network.latency = latency;
  network.bytes_per_ns = 100;
  network.link_bytes_per_ns = 1;
  return network;
}

class FairnessTest : public ::testing::TestWithParam<int64_t> {
 protected:
  void Start(uint64_t seed) {
    received = {};
    cluster_ = std::make_unique<Cluster>(OneLink(GetParam(), seed));
    cluster_->Register(200, &OnPut);
  }

  void Stream(Rank from, Rank to) {
    const am::Message message{.category = am::Category::kLong,
                              .handler = 200,
                              .payload = payload_.data(),
                              .nbytes = kPut,
                              .dest_addr = cluster_->node(to).segment()};
    while (cluster_->node(from).Send(to, am::Lane::kRequest, message) ==
           am::Post::kDone) {
    }
  }

  // Lets time pass while step() feeds the streams. step() returns the latest
  // time at which it must be called again.
  template <class Step>
  void RunFor(int64_t nanos, Step step) {
    const int64_t end = cluster_->network().Now() + nanos;
    while (cluster_->network().Now() < end) {
      const int64_t deadline = step();
      if (cluster_->PollAll() > 0) continue;
      ASSERT_TRUE(cluster_->PassTime(std::min(deadline, end)));
    }
  }

  std::unique_ptr<Cluster> cluster_;
  std::vector<std::byte> payload_ = std::vector<std::byte>(kPut);
};

// A stream that begins later also gets a share, and the link stays full.
TEST_P(FairnessTest, TwoStreamsShareALink) {
  for (const uint64_t seed : {1u, 2u, 3u}) {
    Start(seed);
    RunFor(20 * kMilli, [&] {
      Stream(0, 2);
      return kNever;
    });
    const auto both = [&] {
      Stream(0, 2);
      Stream(1, 3);
      return kNever;
    };
    RunFor(20 * kMilli, both);
    received = {};
    RunFor(100 * kMilli, both);
    const auto first = static_cast<double>(received[0]);
    const auto second = static_cast<double>(received[1]);
    EXPECT_GT(first + second, kMinUse * 100 * kMilli) << "seed " << seed;
    EXPECT_LT(std::max(first, second), 2 * std::min(first, second))
        << "seed " << seed;
  }
}

TEST_P(FairnessTest, AStreamSharesALinkWithTcp) {
  for (const uint64_t seed : {1u, 2u, 3u}) {
    Start(seed);
    TcpFlow tcp(cluster_->network(), 1, 3);
    cluster_->SetAsleep(1, true);
    cluster_->SetAsleep(3, true);
    const auto both = [&] {
      Stream(0, 2);
      tcp.Step();
      return tcp.NextDeadline();
    };
    RunFor(40 * kMilli, both);
    received = {};
    const uint64_t before = tcp.bytes_received();
    RunFor(100 * kMilli, both);
    const auto ours = static_cast<double>(received[0]);
    const auto theirs = static_cast<double>(tcp.bytes_received() - before);
    EXPECT_GT(ours + theirs, kMinUse * 100 * kMilli) << "seed " << seed;
    // After a loss TCP halves its window, while these channels keep seven
    // tenths.
    EXPECT_GT(ours, theirs) << "seed " << seed;
    EXPECT_LT(ours, 2.5 * theirs) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Latencies, FairnessTest,
                         ::testing::Values(10'000, 100'000),
                         [](const auto& each) {
                           return std::to_string(each.param / 1000) + "us";
                         });

}  // namespace
}  // namespace gasnet::datagram
