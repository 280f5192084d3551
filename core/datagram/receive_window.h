// What has arrived in one lane from one peer: a cumulative sequence number and
// a bitmap of what lies behind it. Sequence numbers begin at 1.
#ifndef CORE_DATAGRAM_RECEIVE_WINDOW_H_
#define CORE_DATAGRAM_RECEIVE_WINDOW_H_

#include <bit>
#include <cstdint>

#include "core/datagram/packet.h"

namespace gasnet::datagram {

class ReceiveWindow {
 public:
  enum class Verdict : uint8_t { kNew, kDuplicate, kTooFarAhead };

  // What the packet with this number would be. Changes nothing.
  Verdict Judge(uint64_t sequence) const {
    if (sequence <= cumulative_) return Verdict::kDuplicate;
    const uint64_t ahead = sequence - cumulative_ - 1;
    if (ahead >= kWindow) return Verdict::kTooFarAhead;
    return (behind_ >> ahead & 1) != 0 ? Verdict::kDuplicate : Verdict::kNew;
  }

  // Registers a packet that was judged new.
  void Register(uint64_t sequence) {
    behind_ |= uint64_t{1} << (sequence - cumulative_ - 1);
    const int arrived = std::countr_one(behind_);
    cumulative_ += static_cast<unsigned>(arrived);
    behind_ = arrived == 64 ? 0 : behind_ >> arrived;
  }

  // Nothing is missing before it.
  bool IsNext(uint64_t sequence) const { return sequence == cumulative_ + 1; }

  // Something is missing before what arrived last.
  bool HasGap() const { return behind_ != 0; }

  Acks acks() const { return {cumulative_, behind_}; }

 private:
  uint64_t cumulative_ = 0;  // all up to this have arrived
  uint64_t behind_ = 0;      // bit i: cumulative_ + 1 + i has; bit 0 is clear
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_RECEIVE_WINDOW_H_
