// The round-trip estimate of one peer (RFC 6298) and the timeout that follows
// from it. Samples come from packets that were transmitted once (Karn's rule).
#ifndef CORE_DATAGRAM_ROUND_TRIP_H_
#define CORE_DATAGRAM_ROUND_TRIP_H_

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "core/datagram/channel_options.h"
#include "core/datagram/tuning.h"

namespace gasnet::datagram {

class RoundTrip {
 public:
  void Sample(int64_t nanos) {
    backoff_ = 0;
    least_ = std::min(least_, nanos);
    if (smoothed_ == 0) {
      smoothed_ = std::max<int64_t>(nanos, 1);
      variation_ = nanos / 2;
      return;
    }
    // Caps the sample, because a peer that computed for a second says little
    // about the network. If the peer remains slow, a few samples raise the
    // estimate.
    nanos = std::min(nanos, 8 * smoothed_ + kSampleGrace);
    variation_ += (std::abs(smoothed_ - nanos) - variation_) / 4;
    smoothed_ += (nanos - smoothed_) / 8;
  }

  // Records an answer after `expiries` timeouts. It may answer any of the
  // transmissions, so it is no sample. Until there is a sample, timeouts keep
  // the length that they have grown to (RFC 6298). If they became shorter than
  // a round trip again, there would never be a sample.
  void NoteUnclear(unsigned expiries) {
    backoff_ = std::min(backoff_ + expiries, kMaxBackoff);
  }

  // Stops the growth of timeouts, because the caller must know soon if the peer
  // is alive.
  void Hurry() { hurries_ = true; }

  // Returns true if an acknowledgement that comes this long after the last
  // transmission can answer that transmission. Otherwise the acknowledgement
  // answers an earlier one.
  bool IsPossible(int64_t nanos) const { return nanos >= least_; }

  // Returns how long to wait for an acknowledgement after `expiries` timeouts.
  int64_t Timeout(const Timing& timing, unsigned expiries) const {
    const int64_t base = smoothed_ == 0 ? timing.initial_timeout
                                        : std::max(smoothed_ + 4 * variation_,
                                                   timing.min_timeout);
    int64_t timeout = std::min(base, timing.max_timeout);
    const unsigned doublings = hurries_ ? 0 : expiries + backoff_;
    for (unsigned i = 0; i < doublings && timeout < timing.max_timeout; ++i) {
      timeout *= timing.backoff;
    }
    return std::min(timeout, timing.max_timeout);
  }

  // Returns the time without an acknowledgement after which a packet is
  // repeated, to ask for one. Returns 0 if the timeout is less than twice this
  // time, or if there is no sample yet.
  int64_t ProbeTime(const Timing& timing) const {
    const int64_t time = 2 * smoothed_ + timing.probe_delay;
    return smoothed_ == 0 || 2 * time > Timeout(timing, 0) ? 0 : time;
  }

  // Returns the time from a packet's transmission until it counts as lost if
  // later packets have overtaken it. Returns 0 if there is no sample yet.
  int64_t ReorderTime() const { return smoothed_ + smoothed_ / 4; }

 private:
  int64_t smoothed_ = 0;  // ns; 0 if there is no sample yet
  int64_t variation_ = 0;
  int64_t least_ = std::numeric_limits<int64_t>::max();
  unsigned backoff_ = 0;  // timeouts since the last sample
  bool hurries_ = false;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_ROUND_TRIP_H_
