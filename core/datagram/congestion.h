// How many packets may be in flight in one lane: slow start, then congestion
// avoidance; seven tenths on a loss (RFC 8312), once a round; one packet on a
// time-out, unless it turns out that nothing was lost. docs/design/datagram.md
// has the reasons.
#ifndef CORE_DATAGRAM_CONGESTION_H_
#define CORE_DATAGRAM_CONGESTION_H_

#include <algorithm>
#include <cstdint>

#include "core/datagram/tuning.h"

namespace gasnet::datagram {

class Congestion {
 public:
  uint32_t window() const { return window_ / kUnit; }

  // busy: the window was in use; one that is not says nothing about the
  // network. most: beyond that the window is not needed.
  void OnAcknowledged(uint32_t packets, bool busy, uint32_t most) {
    if (!busy) return;
    window_ += window_ < threshold_ ? packets * kUnit
                                    : packets * kUnit * kUnit / window_;
    window_ = std::min(window_, most * kUnit);
  }

  // A packet was lost that was transmission number `order`, of `last` so far.
  void OnLoss(uint64_t order, uint64_t last) {
    if (order <= round_end_) return;  // this round was paid for
    round_end_ = last;
    window_ = threshold_ = Shrunk();
    before_timeout_ = 0;
  }

  // busy: as above. Traffic that did not fill the window shows nothing of how
  // much the network carries, so the way back up is the fast one (RFC 7661). A
  // packet that is lost again says nothing new (RFC 5681).
  void OnTimeout(uint64_t last, bool busy) {
    if (before_timeout_ == 0) {
      before_timeout_ = window_;
      threshold_before_ = threshold_;
      if (busy) threshold_ = Shrunk();
    }
    round_end_ = last;
    window_ = kUnit;
  }

  // The packet that seemed lost had arrived: the peer was busy, not the
  // network.
  void OnSpuriousTimeout() {
    if (before_timeout_ == 0) return;
    window_ = std::max(window_, before_timeout_);
    threshold_ = std::max(threshold_, threshold_before_);
    before_timeout_ = 0;
  }

  // The time-out is over, and was right.
  void OnRecovered() { before_timeout_ = 0; }

 private:
  static constexpr uint32_t kUnit = 256;  // fractions of a packet
  static constexpr uint32_t kInitial = kInitialWindow * kUnit;
  static constexpr uint32_t kLeast = kLeastWindow * kUnit;

  uint32_t Shrunk() const { return std::max(window_ / 10 * 7, kLeast); }

  uint64_t round_end_ = 0;
  uint32_t window_ = kInitial;
  uint32_t threshold_ = ~uint32_t{0};
  uint32_t before_timeout_ = 0;  // 0: no time-out that may be taken back
  uint32_t threshold_before_ = 0;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_CONGESTION_H_
