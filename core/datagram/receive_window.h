// The packets that have arrived from one peer on one lane: a cumulative
// sequence number, and a bitmap of the packets after it. Sequence numbers begin
// at 1.
#ifndef CORE_DATAGRAM_RECEIVE_WINDOW_H_
#define CORE_DATAGRAM_RECEIVE_WINDOW_H_

#include <array>
#include <cstdint>

#include "core/datagram/packet.h"

namespace gasnet::datagram {

class ReceiveWindow {
 public:
  enum class Verdict : uint8_t { kNew, kDuplicate, kTooFarAhead };

  // Returns the verdict on a packet with this sequence number. Changes nothing.
  Verdict Judge(uint64_t sequence) const {
    if (sequence <= cumulative_) return Verdict::kDuplicate;
    if (sequence - cumulative_ > kWindow) return Verdict::kTooFarAhead;
    return Has(sequence) ? Verdict::kDuplicate : Verdict::kNew;
  }

  // Registers a packet whose verdict was kNew.
  void Register(uint64_t sequence) {
    WordOf(sequence) |= BitOf(sequence);
    ++behind_;
    while (behind_ > 0 && Has(cumulative_ + 1)) {
      ++cumulative_;
      --behind_;
      WordOf(cumulative_) &= ~BitOf(cumulative_);
    }
  }

  // Returns true if no packet before this one is missing.
  bool IsNext(uint64_t sequence) const { return sequence == cumulative_ + 1; }

  // Returns true if this packet and all packets before it have arrived.
  bool HasAllUpTo(uint64_t sequence) const { return sequence <= cumulative_; }

  // Returns true if a packet before the newest is missing.
  bool HasGap() const { return behind_ != 0; }

  Acks acks() const {
    if (behind_ == 0) return {cumulative_, 0};
    const uint64_t from = cumulative_ + 1;
    const unsigned shift = from % 64;
    const uint64_t low = words_[from / 64 % kWords] >> shift;
    const uint64_t high =
        shift == 0 ? 0 : words_[(from / 64 + 1) % kWords] << (64 - shift);
    return {cumulative_, low | high};
  }

 private:
  static constexpr unsigned kWords = kWindow / 64;
  static_assert(kWindow % 64 == 0 && kAckBits == 64);

  static uint64_t BitOf(uint64_t sequence) {
    return uint64_t{1} << sequence % 64;
  }
  uint64_t& WordOf(uint64_t sequence) { return words_[sequence / 64 % kWords]; }
  bool Has(uint64_t sequence) const {
    return (words_[sequence / 64 % kWords] & BitOf(sequence)) != 0;
  }

  uint64_t cumulative_ = 0;  // all packets up to this one have arrived
  unsigned behind_ = 0;      // number of packets after cumulative_ that arrived
  // A ring buffer of bits. A packet's bit is set from its arrival until the
  // cumulative number reaches it.
  std::array<uint64_t, kWords> words_{};
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_RECEIVE_WINDOW_H_
