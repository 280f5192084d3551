// The counts of one endpoint.
#ifndef CORE_DATAGRAM_STATISTICS_H_
#define CORE_DATAGRAM_STATISTICS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gasnet::datagram {

// The reasons to drop a datagram.
enum class Drop : uint8_t {
  kSize,       // shorter than a header, or longer than any datagram
  kForged,     // tag not made with this job's key, or damaged
  kHeader,     // authentic, but with an invalid header
  kTarget,     // for another rank, or another rail of this one
  kSource,     // from a rank that does not exist, or from this one
  kMalformed,  // malformed contents
  kDuplicate,  // arrived before
  kTooFar,     // further ahead than a sender may be
  kNoRoom,     // no room to keep its contents
};
inline constexpr size_t kDropReasons = 9;

// A counter. Only one thread at a time increments it, under the endpoint's
// lock. Any thread or signal handler may read it at any time without the lock.
// Accesses are relaxed, since the counter guards no other data. Atomic addition
// is not needed, and would cost as much as the lock.
class Counter {
 public:
  Counter() = default;
  Counter(const Counter& other) : value_(other.value()) {}
  Counter& operator=(const Counter& other) {
    value_.store(other.value(), std::memory_order_relaxed);
    return *this;
  }

  Counter& operator+=(uint64_t n) {
    value_.store(value() + n, std::memory_order_relaxed);
    return *this;
  }
  Counter& operator++() { return *this += 1; }

  uint64_t value() const { return value_.load(std::memory_order_relaxed); }
  // NOLINTNEXTLINE(google-explicit-constructor): it is read as a number.
  operator uint64_t() const { return value(); }

 private:
  std::atomic<uint64_t> value_{0};
};

struct DatagramStatistics {
  std::array<Counter, kDropReasons> dropped;
  Counter packets_sent;      // with contents; no retransmissions
  Counter packets_received;  // with contents; no duplicates
  Counter retransmissions;
  Counter timeouts;
  Counter probes;
  Counter acks_sent;  // packets that carry only acknowledgements
  // Counts that the layer above keeps.
  Counter messages_sent;
  Counter messages_delivered;
  Counter unattended;  // those of them that the network's own thread served

  // Adds the counts of another endpoint.
  DatagramStatistics& operator+=(const DatagramStatistics& other) {
    for (size_t reason = 0; reason < kDropReasons; ++reason) {
      dropped[reason] += other.dropped[reason];
    }
    packets_sent += other.packets_sent;
    packets_received += other.packets_received;
    retransmissions += other.retransmissions;
    timeouts += other.timeouts;
    probes += other.probes;
    acks_sent += other.acks_sent;
    messages_sent += other.messages_sent;
    messages_delivered += other.messages_delivered;
    unattended += other.unattended;
    return *this;
  }

  uint64_t Dropped(Drop reason) const {
    return dropped[static_cast<size_t>(reason)];
  }
  void Count(Drop reason) { ++dropped[static_cast<size_t>(reason)]; }
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_STATISTICS_H_
