// Ranks on a MemoryNetwork. One thread drives them in virtual time.
#ifndef CORE_DATAGRAM_TESTING_CLUSTER_H_
#define CORE_DATAGRAM_TESTING_CLUSTER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/am/engine.h"
#include "core/datagram/endpoint.h"
#include "core/datagram/options.h"
#include "core/datagram/seal.h"
#include "core/datagram/testing/memory_network.h"
#include "core/datagram/testing/memory_port.h"
#include "core/segment.h"
#include "gtest/gtest.h"

namespace gasnet::datagram::testing {

inline Seal TestSeal(unsigned char first = 7, Cipher cipher = Seal::Best()) {
  Seal::Key key{};
  key[0] = first;
  return Seal(key, cipher);
}

// One rank: a link over its endpoint, like the link of a conduit.
class Node {
 public:
  static constexpr size_t kSegmentBytes = size_t{1} << 20;

  Node(MemoryNetwork& network, const DatagramOptions& options, const Seal& seal)
      : port_(network, options.me),
        endpoint_(port_, options, seal),
        memory_(new std::byte[kSegmentBytes]()) {
    endpoint_.SetSegment(
        0, {reinterpret_cast<uintptr_t>(memory_.get()), kSegmentBytes});
  }

  am::Post Send(Rank peer, am::Lane lane, const am::Message& message) {
    return endpoint_.Send(peer, lane, message);
  }
  unsigned Poll(am::Lanes lanes, am::Dispatcher& dispatcher) {
    return WithTimers(endpoint_.Poll(lanes, dispatcher));
  }
  unsigned PollAgain(am::Lanes lanes, am::Dispatcher& dispatcher) {
    return WithTimers(endpoint_.Poll(lanes, dispatcher, true));
  }
  size_t MaxMedium() const { return endpoint_.MaxMedium(); }
  size_t MaxLong(am::Lane) const { return endpoint_.MaxLong(); }
  uint32_t Arm() { return 0; }
  bool Sleep(uint32_t, int64_t) { return false; }
  void Disarm() {}
  void WakeOwn() {}

  MemoryPort& port() { return port_; }
  DatagramEndpoint& endpoint() { return endpoint_; }
  am::Dispatcher& dispatcher() { return dispatcher_; }
  std::byte* segment() { return memory_.get(); }
  unsigned Poll() { return Poll(am::Lanes::kAll, dispatcher_); }

 private:
  // Serves timers. In a conduit, a second thread serves timers during handlers.
  // This test has only one thread.
  unsigned WithTimers(unsigned handled) {
    endpoint_.ServeTimers();
    return handled;
  }

  MemoryPort port_;
  DatagramEndpoint endpoint_;
  am::Dispatcher dispatcher_;
  std::unique_ptr<std::byte[]> memory_;
};
static_assert(am::Link<Node>);

class Cluster {
 public:
  explicit Cluster(const NetworkOptions& network, DatagramOptions options = {},
                   const Seal& seal = TestSeal())
      : network_(network), asleep_(network.ranks), in_handler_(network.ranks) {
    options.ranks = network.ranks;
    for (Rank rank = 0; rank < network.ranks; ++rank) {
      options.me = rank;
      nodes_.push_back(std::make_unique<Node>(network_, options, seal));
    }
  }

  MemoryNetwork& network() { return network_; }
  Node& node(Rank rank) { return *nodes_[rank]; }
  uint32_t ranks() const { return static_cast<uint32_t>(nodes_.size()); }

  template <class Function>
  void Register(uint8_t index, Function* handler) {
    for (auto& node : nodes_) {
      node->dispatcher().handlers().RegisterClient(
          index, reinterpret_cast<am::AnyHandler>(handler));
    }
  }

  // Polls every rank once. A rank that is inside a handler polls only for
  // replies.
  unsigned PollAll() {
    unsigned handled = 0;
    for (Rank rank = 0; rank < ranks(); ++rank) {
      if (asleep_[rank]) continue;
      handled += node(rank).Poll(
          in_handler_[rank] ? am::Lanes::kReplies : am::Lanes::kAll,
          node(rank).dispatcher());
    }
    return handled;
  }

  // Sends a message from outside a handler, and polls until there is room.
  void SendPatiently(Rank from, Rank to, am::Lane lane,
                     const am::Message& message) {
    while (node(from).Send(to, lane, message) != am::Post::kDone) {
      if (PollAll() == 0) {
        ASSERT_TRUE(PassTime());
      }
    }
  }

  // Simulates a handler of the rank that waits for room, as the engine would.
  template <class Done>
  void WaitInHandler(Rank rank, Done done) {
    if (done()) return;
    in_handler_[rank] = true;
    for (unsigned idle = 0; !done() && !::testing::Test::HasFailure();) {
      if (PollAll() > 0) continue;
      // Wakes all ranks now and then, since no rank may sleep for ever.
      if (++idle % 100 == 0) WakeAll();
      if (!PassTime() && !WakeAll()) ADD_FAILURE() << "a reply is stuck";
    }
    in_handler_[rank] = false;
  }

  // Wakes all ranks. Returns false if no rank slept.
  bool WakeAll() {
    const bool any = std::count(asleep_.begin(), asleep_.end(), true) > 0;
    asleep_.assign(asleep_.size(), false);
    return any;
  }
  // Sets whether the rank's client computes. The rank does not poll while it
  // does.
  void SetAsleep(Rank rank, bool asleep) { asleep_[rank] = asleep; }

  // Lets time pass until the next event is possible, or until `limit`. Returns
  // false if there is no next event.
  bool PassTime(int64_t limit = std::numeric_limits<int64_t>::max()) {
    int64_t next = std::min(limit, network_.NextArrival());
    for (Rank rank = 0; rank < ranks(); ++rank) {
      if (asleep_[rank]) continue;
      next = std::min(next, node(rank).endpoint().NextDeadline());
    }
    if (next == std::numeric_limits<int64_t>::max()) return false;
    network_.AdvanceTo(next);
    return true;
  }

  bool Quiet() const {
    return std::all_of(nodes_.begin(), nodes_.end(), [](const auto& node) {
      return node->endpoint().Quiet();
    });
  }

  // Runs until done() is true and everything is acknowledged. Returns false if
  // no more events are possible, or after too many steps.
  template <class Done>
  bool Run(Done done, uint64_t most_steps = 50'000'000) {
    for (uint64_t step = 0; step < most_steps; ++step) {
      const unsigned handled = PollAll();
      if (done() && Quiet()) return true;
      if (handled == 0 && !PassTime() && !WakeAll()) return false;
    }
    return false;
  }

 private:
  MemoryNetwork network_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<bool> asleep_;
  std::vector<bool> in_handler_;
};

}  // namespace gasnet::datagram::testing

#endif  // CORE_DATAGRAM_TESTING_CLUSTER_H_
