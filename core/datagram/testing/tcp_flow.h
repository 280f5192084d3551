// An endless stream like TCP's (RFC 5681, with selective acknowledgements). It
// competes on a MemoryNetwork's link. The window doubles, then grows by a
// packet each round trip, and halves on a loss, at most once a round trip. Lost
// packets are not repeated: only the amount in flight matters here.
#ifndef CORE_DATAGRAM_TESTING_TCP_FLOW_H_
#define CORE_DATAGRAM_TESTING_TCP_FLOW_H_

#include <cstddef>
#include <cstdint>
#include <map>

#include "core/datagram/testing/memory_network.h"
#include "core/rank.h"

namespace gasnet::datagram::testing {

class TcpFlow {
 public:
  // Creates a flow. No other sender or receiver may use these two ranks.
  TcpFlow(MemoryNetwork& network, Rank from, Rank to)
      : network_(network), from_(from), to_(to) {}

  // Processes arrivals at both ends, and sends as much as the window permits.
  void Step();
  // Returns the time at which the flow next has work although nothing arrives.
  int64_t NextDeadline() const;

  uint64_t bytes_received() const { return received_; }

 private:
  static constexpr int64_t kTimeout = 1'000'000;  // ns
  static constexpr uint64_t kReordering = 3;      // packets

  void Acknowledge();
  void OnAcknowledged(uint64_t number);
  void FindLost(uint64_t acknowledged);
  void Halve(uint64_t lost);

  MemoryNetwork& network_;
  const Rank from_;
  const Rank to_;
  std::map<uint64_t, int64_t> in_flight_;  // packet number -> time it was sent
  double window_ = 10;
  double threshold_ = 1e9;
  uint64_t next_ = 1;
  uint64_t round_end_ = 0;  // losses up to this number have halved the window
  uint64_t received_ = 0;
};

}  // namespace gasnet::datagram::testing

#endif  // CORE_DATAGRAM_TESTING_TCP_FLOW_H_
