// Tests throughput and latency in virtual time, independent of the machine.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/datagram/testing/cluster.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

using testing::Cluster;
using testing::NetworkOptions;

int handled;
void OnPut(void*, void*, size_t) { ++handled; }

// Returns the payload bytes of Longs per virtual second, in one direction.
double Throughput(const NetworkOptions& network,
                  const DatagramOptions& options = {}) {
  constexpr int kMessages = 1500;
  Cluster cluster(network, options);
  cluster.Register(200, &OnPut);
  handled = 0;
  const size_t nbytes = 65536;
  std::vector<std::byte> payload(nbytes);
  const am::Message message{.category = am::Category::kLong,
                            .handler = 200,
                            .payload = payload.data(),
                            .nbytes = nbytes,
                            .dest_addr = cluster.node(1).segment()};
  int sent = 0;
  const int64_t begin = cluster.network().Now();
  const bool done = cluster.Run([&] {
    while (sent < kMessages &&
           cluster.node(0).Send(1, am::Lane::kRequest, message) ==
               am::Post::kDone) {
      ++sent;
    }
    return handled == kMessages;
  });
  EXPECT_TRUE(done) << "seed " << network.seed;
  return 1e9 * kMessages * static_cast<double>(nbytes) /
         static_cast<double>(cluster.network().Now() - begin);
}

TEST(ThroughputTest, LossCostsNoMoreThanItMust) {
  for (const uint64_t seed : {1u, 2u, 3u}) {
    NetworkOptions network;
    network.seed = seed;
    const double perfect = Throughput(network);
    // The line carries a byte per nanosecond.
    EXPECT_GT(perfect, 0.85e9) << "seed " << seed;
    network.faults.lose = 0.01;
    EXPECT_GT(Throughput(network), 0.70 * perfect) << "seed " << seed;
    network.faults.lose = 0.05;
    EXPECT_GT(Throughput(network), 0.35 * perfect) << "seed " << seed;
  }
}

// The receiver sends acknowledgements by itself only after every eighth packet.
TEST(ThroughputTest, AWindowOfSevenPacketsIsUsedInEachRoundTrip) {
  const NetworkOptions network;
  constexpr size_t kPacket = 1472 + 768;  // includes the kernel's overhead
  DatagramOptions options;
  options.receive_window_bytes = am::kLanes * (7 * kPacket + 1024);
  const double nanos_of_round = 2.0 * network.latency + 8 * 1538;
  EXPECT_GT(Throughput(network, options),
            0.8 * 7 * 1300 / nanos_of_round * 1e9);
}

void OnPing(void*) { ++handled; }

// Returns the durations of single Shorts in nanoseconds, sorted. Each one is
// sent when the previous one has been acknowledged.
std::vector<int64_t> Trips(Cluster& cluster, int count) {
  cluster.Register(200, &OnPing);
  handled = 0;
  std::vector<int64_t> trips;
  for (int i = 1; i <= count; ++i) {
    const int64_t begin = cluster.network().Now();
    EXPECT_EQ(cluster.node(0).Send(1, am::Lane::kRequest, {.handler = 200}),
              am::Post::kDone);
    EXPECT_TRUE(cluster.Run([&] { return handled == i; }));
    trips.push_back(cluster.network().Now() - begin);
  }
  std::sort(trips.begin(), trips.end());
  return trips;
}

TEST(TailTest, ALostMessageCostsAProbeAndNoTimeout) {
  for (const uint64_t seed : {1u, 2u, 3u}) {
    NetworkOptions network;
    network.seed = seed;
    network.faults.lose = 0.01;
    Cluster cluster(network);
    constexpr size_t kTrips = 2000;
    const std::vector<int64_t> trips = Trips(cluster, kTrips);
    const DatagramStatistics statistics =
        cluster.node(0).endpoint().statistics();
    EXPECT_LT(trips[kTrips / 100 * 99], Timing().min_timeout / 2)
        << "seed " << seed;
    EXPECT_GT(statistics.probes, kTrips / 100) << "seed " << seed;
    EXPECT_LT(statistics.timeouts, statistics.probes / 5) << "seed " << seed;
  }
}

}  // namespace
}  // namespace gasnet::datagram
