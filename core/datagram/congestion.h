// The congestion window of one lane, in packets: slow start, then congestion
// avoidance. A loss reduces it to seven tenths (RFC 8312), at most once a round
// trip. A time-out reduces it to one packet, unless it turns out that nothing
// was lost. docs/design/datagram.md gives the reasons.
#ifndef CORE_DATAGRAM_CONGESTION_H_
#define CORE_DATAGRAM_CONGESTION_H_

#include <algorithm>
#include <cstdint>

#include "core/datagram/tuning.h"

namespace gasnet::datagram {

class Congestion {
 public:
  uint32_t window() const { return window_ / kUnit; }

  // busy: the window was in use; an unused one says nothing about the network.
  // most: the window is not needed beyond this.
  void OnAcknowledged(uint32_t packets, bool busy, uint32_t most) {
    if (!busy) return;
    window_ += window_ < threshold_ ? packets * kUnit
                                    : packets * kUnit * kUnit / window_;
    window_ = std::min(window_, most * kUnit);
  }

  // Records the loss of transmission number `order`, of `last` so far.
  void OnLoss(uint64_t order, uint64_t last) {
    if (order <= round_end_) return;  // the window was reduced for this round
    round_end_ = last;
    window_ = threshold_ = Shrunk();
    before_timeout_ = 0;
  }

  // busy: as above. Traffic that did not fill the window does not show the
  // capacity of the network, so the window grows back by slow start (RFC 7661).
  // A packet that is lost again brings no news (RFC 5681).
  void OnTimeout(uint64_t last, bool busy) {
    if (before_timeout_ == 0) {
      before_timeout_ = window_;
      threshold_before_ = threshold_;
      if (busy) threshold_ = Shrunk();
    }
    round_end_ = last;
    window_ = kUnit;
  }

  // Records that the packet that seemed lost had arrived: the peer was busy,
  // not the network.
  void OnSpuriousTimeout() {
    if (before_timeout_ == 0) return;
    window_ = std::max(window_, before_timeout_);
    threshold_ = std::max(threshold_, threshold_before_);
    before_timeout_ = 0;
  }

  // Records that the time-out is over and was justified.
  void OnRecovered() { before_timeout_ = 0; }

 private:
  static constexpr uint32_t kUnit = 256;  // fractions of a packet
  static constexpr uint32_t kInitial = kInitialWindow * kUnit;
  static constexpr uint32_t kMin = kMinWindow * kUnit;

  uint32_t Shrunk() const { return std::max(window_ / 10 * 7, kMin); }

  uint64_t round_end_ = 0;
  uint32_t window_ = kInitial;
  uint32_t threshold_ = ~uint32_t{0};
  uint32_t before_timeout_ = 0;  // 0 if there is no time-out to take back
  uint32_t threshold_before_ = 0;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_CONGESTION_H_
