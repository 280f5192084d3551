#include "core/datagram/retransmission_timer.h"

#include "core/datagram/tuning.h"
#include "core/lane.h"

namespace gasnet::datagram {

void RetransmissionTimer::LookAfter(Channel& channel, int64_t now,
                                    bool looked) {
  for (const Lane lane : {Lane::kReply, Lane::kRequest}) {
    SendWindow& window = channel.lane(lane).send;
    const auto expiry =
        window.OnTimer(now, options_.timing, channel.round_trip);
    Count(expiry);
    if (expiry == SendWindow::Expiry::kTimeout) {
      if (HasLeft(channel)) {
        window.Abandon(pool_);
        continue;
      }
      if (looked) NoteSilence(channel, now);
    }
    if (window.Empty()) continue;
    transmitter_.Transmit(channel, lane, window.in_flight() < kPromptPackets);
  }
}

void RetransmissionTimer::Count(SendWindow::Expiry expiry) {
  if (expiry == SendWindow::Expiry::kAsk) ++statistics_.probes;
  if (expiry == SendWindow::Expiry::kTimeout) ++statistics_.timeouts;
}

void RetransmissionTimer::NoteSilence(Channel& channel, int64_t now) {
  if (channel.silent_since == 0) channel.silent_since = now;
  const int64_t silence = now - channel.silent_since;
  const int64_t limit = options_.timing.silence_limit;
  if (limit > 0 && silence > limit) options_.on_silent(channel.peer, silence);
}

}  // namespace gasnet::datagram
