// The congestion window of one lane, in packets: slow start, then congestion
// avoidance. A loss reduces it to seven tenths (RFC 8312), at most once a round
// trip. A timeout reduces it to one packet. If it turns out that nothing was
// lost, the window is restored. docs/design/datagram.md gives the reasons.
#ifndef CORE_DATAGRAM_CONGESTION_H_
#define CORE_DATAGRAM_CONGESTION_H_

#include <algorithm>
#include <cstdint>

#include "core/datagram/tuning.h"

namespace gasnet::datagram {

class Congestion {
 public:
  uint32_t window() const { return window_ / kUnit; }

  // Grows the window, up to `most` packets, after an acknowledgement of
  // `packets` packets. `busy` says that the window limited the sender.
  // Otherwise the window does not grow, because the network has not shown that
  // it can carry more.
  void OnAcknowledged(uint32_t packets, bool busy, uint32_t most) {
    if (!busy) return;
    window_ += window_ < threshold_ ? packets * kUnit
                                    : packets * kUnit * kUnit / window_;
    window_ = std::min(window_, most * kUnit);
  }

  // Records the loss of transmission number `order`. The last transmission so
  // far has the number `last`.
  void OnLoss(uint64_t order, uint64_t last) {
    // the window was already reduced in this round
    if (order <= round_end_) return;
    round_end_ = last;
    window_ = threshold_ = Shrunk();
    before_timeout_ = 0;
  }

  // Reduces the window after a timeout. `busy` is as in OnAcknowledged(). If
  // `busy` is false, the traffic did not show the capacity of the network, so
  // the window grows back by slow start (RFC 7661). Repeated timeouts do not
  // reduce the threshold again (RFC 5681).
  void OnTimeout(uint64_t last, bool busy) {
    if (before_timeout_ == 0) {
      before_timeout_ = window_;
      threshold_before_ = threshold_;
      if (busy) threshold_ = Shrunk();
    }
    round_end_ = last;
    window_ = kUnit;
  }

  // Records that the packet that seemed lost had arrived. The peer was busy,
  // not the network, so the window is restored.
  void OnSpuriousTimeout() {
    if (before_timeout_ == 0) return;
    window_ = std::max(window_, before_timeout_);
    threshold_ = std::max(threshold_, threshold_before_);
    before_timeout_ = 0;
  }

  // Records that the timeout is over and was justified.
  void OnRecovered() { before_timeout_ = 0; }

 private:
  static constexpr uint32_t kUnit = 256;  // units of window_ per packet
  static constexpr uint32_t kInitial = kInitialWindow * kUnit;
  static constexpr uint32_t kMin = kMinWindow * kUnit;

  uint32_t Shrunk() const { return std::max(window_ / 10 * 7, kMin); }

  uint64_t round_end_ = 0;
  uint32_t window_ = kInitial;
  uint32_t threshold_ = ~uint32_t{0};
  uint32_t before_timeout_ = 0;  // window before the timeout, or 0
  uint32_t threshold_before_ = 0;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_CONGESTION_H_
