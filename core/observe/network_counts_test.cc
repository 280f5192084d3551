#include "core/observe/network_counts.h"

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace gasnet::observe {
namespace {

using Counts = std::vector<std::pair<std::string, uint64_t>>;

struct Network {
  std::atomic<uint64_t> packets{3};
  std::atomic<bool> lives{true};

  static void List(const void* network, NetworkCounts::Add add) {
    const auto& mine = *static_cast<const Network*>(network);
    EXPECT_TRUE(mine.lives);
    add("packets", mine.packets);
  }
};

Counts Visited() {
  Counts counts;
  NetworkCounts::Visit([&](const char* name, uint64_t count) {
    counts.emplace_back(name, count);
  });
  return counts;
}

TEST(NetworkCountsTest, AreThoseOfTheNetworkThatRuns) {
  EXPECT_EQ(Visited(), Counts());
  for (const uint64_t packets : {5, 7}) {
    Network network;
    network.packets = packets;
    const NetworkCounts counts(&network, &Network::List);
    EXPECT_EQ(Visited(), (Counts{{"packets", packets}}));
  }
  EXPECT_EQ(Visited(), Counts());
}

TEST(NetworkCountsTest, AreVisitedWhileNetworksBeginAndEnd) {
  std::atomic<bool> ends{false};
  std::thread visitor([&] {
    while (!ends) Visited();
  });
  for (int life = 0; life < 20'000; ++life) {
    Network network;
    { const NetworkCounts counts(&network, &Network::List); }
    network.lives = false;
  }
  ends = true;
  visitor.join();
}

}  // namespace
}  // namespace gasnet::observe
