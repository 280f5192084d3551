// Tests endpoints that several threads use at once. Each endpoint has the
// engine above it, as in a conduit. Every wait must end by an event.
#include <atomic>
#include <deque>
#include <thread>
#include <vector>

#include "core/datagram/testing/cluster.h"
#include "core/thread/mode.h"
#include "gtest/gtest.h"

namespace gasnet::datagram {
namespace {

using testing::MemoryNetwork;
using testing::Node;

constexpr uint8_t kRequest = am::kFirstClientHandler;
constexpr uint8_t kReply = kRequest + 1;
constexpr Rank kRanks = 2;

// A node that lets time pass in polls that find nothing.
class LiveNode : public Node {
 public:
  LiveNode(MemoryNetwork& network, const DatagramOptions& options)
      : Node(network, options, testing::TestSeal()), network_(network) {}

  unsigned Poll(am::Lanes lanes, am::Dispatcher& dispatcher) {
    return LetTimePass(Node::Poll(lanes, dispatcher));
  }
  unsigned PollAgain(am::Lanes lanes, am::Dispatcher& dispatcher) {
    return LetTimePass(Node::PollAgain(lanes, dispatcher));
  }

 private:
  unsigned LetTimePass(unsigned handled) {
    if (handled == 0) {
      network_.AdvanceTo(network_.Now() + 1000);
      std::this_thread::yield();
    }
    return handled;
  }

  MemoryNetwork& network_;
};
static_assert(am::Link<LiveNode>);

std::deque<am::Progress> progress;
std::vector<std::unique_ptr<am::Engine<LiveNode>>> engines;
std::atomic<int> requests, replies, bad;

void OnRequest(void* token, void* payload, size_t nbytes, int32_t me) {
  ++requests;
  const auto* const bytes = static_cast<unsigned char*>(payload);
  for (size_t i = 0; i < nbytes; ++i) {
    if (bytes[i] != static_cast<unsigned char>(nbytes)) {
      ++bad;
      break;
    }
  }
  engines[static_cast<size_t>(me)]->Reply(*static_cast<am::Token*>(token),
                                          {.category = am::Category::kMedium,
                                           .handler = kReply,
                                           .payload = payload,
                                           .nbytes = nbytes / 2});
}
void OnReply(void*, void*, size_t) { ++replies; }

TEST(ThreadsTest, ManyThreadsShareAnEndpoint) {
  constexpr int kMessages = 6000;
  requests = replies = bad = 0;
  MemoryNetwork network({.ranks = kRanks, .faults = {.lose = 0.02}});
  std::vector<std::unique_ptr<LiveNode>> nodes;
  for (Rank me = 0; me < kRanks; ++me) {
    DatagramOptions options{{.me = me, .ranks = kRanks}};
    options.pool_bytes = 300'000;
    nodes.push_back(std::make_unique<LiveNode>(network, options));
    engines.push_back(std::make_unique<am::Engine<LiveNode>>(
        *nodes[me], progress.emplace_back()));
    auto& table = engines[me]->handlers();
    table.RegisterClient(kRequest,
                         reinterpret_cast<am::AnyHandler>(&OnRequest));
    table.RegisterClient(kReply, reinterpret_cast<am::AnyHandler>(&OnReply));
  }
  // Client threads run concurrently only in GASNET_PAR. In every mode, one more
  // thread serves timers.
  const int clients = thread::kConcurrent ? 2 : 1;
  const int expected = kMessages * clients * static_cast<int>(kRanks);
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (Rank me = 0; me < kRanks; ++me) {
    for (int client = 0; client < clients; ++client) {
      threads.emplace_back([&, me, client] {
        const auto to = static_cast<int32_t>((me + 1) % kRanks);
        for (int i = 0; i < kMessages; ++i) {
          const auto nbytes = static_cast<size_t>((i * 131 + client) %
                                                  (i % 32 == 0 ? 60'000 : 100));
          const std::vector<unsigned char> payload(
              nbytes, static_cast<unsigned char>(nbytes));
          engines[me]->Request(static_cast<Rank>(to),
                               {.category = am::Category::kMedium,
                                .handler = kRequest,
                                .num_args = 1,
                                .args = &to,
                                .payload = payload.data(),
                                .nbytes = nbytes});
        }
        engines[me]->WaitUntil([&] { return replies == expected; });
      });
    }
  }
  std::thread timers([&] {
    while (!over) {
      for (auto& node : nodes) node->endpoint().Maintain();
      std::this_thread::yield();
    }
  });
  for (std::thread& thread : threads) thread.join();
  over = true;
  timers.join();
  EXPECT_EQ(requests, expected);
  EXPECT_EQ(replies, expected);
  EXPECT_EQ(bad, 0);
  engines.clear();
}

}  // namespace
}  // namespace gasnet::datagram
