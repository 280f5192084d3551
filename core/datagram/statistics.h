// What an endpoint counts.
#ifndef CORE_DATAGRAM_STATISTICS_H_
#define CORE_DATAGRAM_STATISTICS_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace gasnet::datagram {

// Why a datagram was dropped.
enum class Drop : uint8_t {
  kSize,       // shorter than a header, or longer than any datagram
  kForged,     // its tag is not of this job's key, or it was damaged
  kHeader,     // authentic, but no header of ours
  kTarget,     // for another rank
  kSource,     // from a rank that does not exist, or from this one
  kMalformed,  // its records are wrong
  kDuplicate,  // arrived before
  kTooFar,     // further ahead than a sender may be
  kNoRoom,     // no room to keep what it carries
};
inline constexpr size_t kDropReasons = 9;

struct Statistics {
  std::array<uint64_t, kDropReasons> dropped{};
  uint64_t packets_sent = 0;      // with records; the first transmissions
  uint64_t packets_received = 0;  // with records, new
  uint64_t retransmissions = 0;
  uint64_t timeouts = 0;
  uint64_t probes = 0;
  uint64_t acks_sent = 0;  // by themselves
  uint64_t messages_sent = 0;
  uint64_t messages_delivered = 0;

  uint64_t Dropped(Drop reason) const {
    return dropped[static_cast<size_t>(reason)];
  }
  void Count(Drop reason) { ++dropped[static_cast<size_t>(reason)]; }
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_STATISTICS_H_
