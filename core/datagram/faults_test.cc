// Tests that every message arrives exactly once and intact, no matter what the
// network does to packets.
#include <cstdint>
#include <string_view>

#include "core/datagram/testing/cluster.h"
#include "core/datagram/testing/traffic.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

using testing::Cluster;
using testing::Faults;
using testing::NetworkOptions;
using testing::Traffic;
using testing::TrafficOptions;

// The number of requests. Replies come on top of these, and each kind of fault
// is tested four times.
constexpr unsigned kMessages = 50'000;

struct Case {
  const char* name;
  Faults faults;
};

class KindsOfFault : public ::testing::TestWithParam<Case> {};

TEST_P(KindsOfFault, EveryMessageArrivesOnce) {
  for (const size_t max_datagram : {size_t{1472}, size_t{16384}}) {
    for (const uint64_t seed : {1u, 2u}) {
      Cluster cluster({.ranks = 3,
                       .seed = seed,
                       .faults = GetParam().faults,
                       .max_datagram = max_datagram});
      Traffic(cluster, {.seed = seed, .messages = kMessages}).Run();
      EXPECT_EQ(cluster.network().faults() > 0,
                GetParam().name != std::string_view("None"));
      if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, KindsOfFault,
    ::testing::Values(
        Case{"None", {}}, Case{"Lose1", {.lose = 0.01}},
        Case{"Lose10", {.lose = 0.1}}, Case{"Lose30", {.lose = 0.3}},
        Case{"Repeat", {.repeat = 0.3}}, Case{"Reorder", {.reorder = 0.3}},
        Case{"Truncate", {.truncate = 0.1}}, Case{"Corrupt", {.corrupt = 0.1}},
        Case{"Refuse", {.refuse = 0.2}},
        Case{"Everything", {0.1, 0.1, 0.2, 0.05, 0.05, 0.1}}),
    [](const auto& each) { return each.param.name; });

// Small pools, windows and buffers lead to retries, but to no deadlock.
TEST(FaultyNetwork, TinyPoolsDoNotDeadlock) {
  for (const Faults& faults : {Faults{}, Faults{.lose = 0.05}}) {
    for (const bool encrypt : {false, true}) {
      DatagramOptions options;
      options.pool_bytes = 1;
      options.kept_bytes = 1;
      options.assembly_bytes = 1;
      options.depth = 8;
      options.encrypt = encrypt;
      Cluster cluster({.ranks = 5, .seed = 3, .faults = faults}, options);
      Traffic(cluster, {.seed = 3, .messages = 10'000, .one_large_in = 4})
          .Run();
      if (HasFailure()) return;
    }
  }
}

// Small datagram sizes cut messages into fragments, at first or always. Padded
// packets, which prove larger sizes, are refused, lost, or late.
TEST(FaultyNetwork, EveryMessageArrivesOnceWhileSizesAreProven) {
  constexpr size_t kNarrow = 1200;
  for (const size_t path : {size_t{0}, size_t{1472}, kNarrow}) {
    for (const size_t max_datagram :
         {size_t{1472}, size_t{8928}, size_t{64000}}) {
      for (const Faults& faults :
           {Faults{.refuse = 0.5}, Faults{0.1, 0.1, 0.2, 0.05, 0.05, 0.1}}) {
        DatagramOptions options;
        options.sure_datagram = kNarrow;
        options.encrypt = path == 0;
        if (faults.lose > 0) {
          options.pool_bytes = options.kept_bytes = options.assembly_bytes = 1;
          options.depth = 2;
        }
        Cluster cluster({.ranks = 3,
                         .seed = 6,
                         .faults = faults,
                         .max_datagram = max_datagram,
                         .path_bytes = path},
                        options);
        Traffic(cluster, {.seed = 6,
                          .messages = kMessages / 25,
                          .one_large_in = 4,
                          .naps = true})
            .Run();
        ASSERT_FALSE(HasFailure()) << path << " of " << max_datagram;
      }
    }
  }
}

TEST(FaultyNetwork, AnOverflowingReceiveBufferOnlyCostsTime) {
  DatagramOptions options;
  options.receive_window_bytes = 1 << 20;  // the buffer size that ranks assume
  Cluster cluster({.ranks = 4, .seed = 4, .receive_buffer = 20'000}, options);
  Traffic(cluster,
          {.seed = 4, .messages = 20'000, .one_large_in = 10, .naps = true})
      .Run();
  EXPECT_GT(cluster.network().overflows(), 0u);
}

TEST(FaultyNetwork, APeerThatDoesNotPollForSecondsComesBack) {
  Cluster cluster({.ranks = 2, .seed = 5});
  static int handled;
  handled = 0;
  cluster.Register(
      200, +[](void*) { ++handled; });
  int sent = 0;
  const am::Message message{.handler = 200};
  const auto send_all = [&] {
    while (cluster.node(0).Send(1, am::Lane::kRequest, message) ==
           am::Post::kDone) {
      ++sent;
    }
  };
  for (int round = 0; round < 3; ++round) {
    cluster.SetAsleep(1, true);
    const int64_t wake = cluster.network().Now() + 5'000'000'000;
    while (cluster.network().Now() < wake) {
      send_all();
      if (cluster.PollAll() == 0) {
        ASSERT_TRUE(cluster.PassTime());
      }
    }
    cluster.SetAsleep(1, false);
    const int64_t back = cluster.network().Now();
    ASSERT_TRUE(cluster.Run([&] { return handled == sent; }));
    EXPECT_LT(cluster.network().Now() - back, 500'000'000);
  }
  EXPECT_GT(sent, 1000);
  // Expects one probe for each timeout. To repeat all packets would take many
  // more transmissions.
  EXPECT_LT(cluster.node(0).endpoint().statistics().retransmissions, 1000u);
}

}  // namespace
}  // namespace gasnet::datagram
