// ChannelDriver: what is done without a message: acknowledgements, open
// packets, timers.
#ifndef CORE_DATAGRAM_CHANNEL_DRIVER_TIMER_H_
#define CORE_DATAGRAM_CHANNEL_DRIVER_TIMER_H_

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "core/datagram/channel_driver.h"
#include "core/datagram/tuning.h"

namespace gasnet::datagram {

// At the end of every poll. Costs two comparisons when nothing is going on.
template <Port P>
void ChannelDriver<P>::SendWhatIsDue() {
  // A flush takes acknowledgements along.
  if (held_.load(std::memory_order_relaxed) && sends_since_poll_ == 0) Flush();
  if (!urgent_.empty()) SendUrgentAcks();
  sends_since_poll_ = 0;
}

template <Port P>
void ChannelDriver<P>::ServeTimers() {
  const bool received = !found_nothing_;
  const int64_t now = received        ? transmitter_.now()
                      : polled_again_ ? TimeInWait()
                                      : ReadClock();
  if (now < NextDeadline()) return;
  // After a pause of the client, the acknowledgements that the timers wait for
  // may be in what has not been received yet.
  if (received && ++overdue_ < kMostOverdue) return;
  LookAfterTimers(now, !received);
}

template <Port P>
void ChannelDriver<P>::SendUrgentAcks() {
  for (Channel* const channel : urgent_) {
    // A packet may have taken it along.
    if (channel->urgent && !transmitter_.SendAck(*channel)) {
      channel->ack_due = transmitter_.now();
      NeedBy(transmitter_.now() + options_.timing.port_retry);
    }
  }
  urgent_.clear();
}

// Sends the open packets, where windows permit it.
template <Port P>
void ChannelDriver<P>::Flush() {
  bool left = false;
  channels_.ForActive([&](Channel& channel) {
    for (const Lane lane : {Lane::kReply, Lane::kRequest}) {
      const SendWindow& window = channel.lane(lane).send;
      if (window.open() != nullptr) Transmit(channel, lane, true);
      left |= window.open() != nullptr;
    }
  });
  held_.store(left, std::memory_order_relaxed);
}

template <Port P>
void ChannelDriver<P>::LookAfterTimers(int64_t now, bool looked) {
  Settle();
  deadline_.store(kNever, std::memory_order_relaxed);
  overdue_ = 0;
  if (held_.load(std::memory_order_relaxed)) Flush();
  channels_.ForActive(
      [&](Channel& channel) { NeedBy(LookAfter(channel, now, looked)); });
}

template <Port P>
void ChannelDriver<P>::NoteSilence(Channel& channel, int64_t now) {
  if (channel.silent_since == 0) channel.silent_since = now;
  const int64_t silence = now - channel.silent_since;
  const int64_t notice = options_.timing.silence_notice;
  if (notice > 0 && silence >= notice) {
    const bool heard = channel.newest_counter != 0;
    if (!std::exchange(told_silence_[heard], true)) {
      options_.on_silence(channel.peer, silence, heard);
    }
  }
  const int64_t limit = options_.timing.silence_limit;
  if (limit > 0 && silence > limit) options_.on_silent(channel.peer, silence);
}

// The largest datagrams do not reach the channel's peer.
template <Port P>
void ChannelDriver<P>::NoteNarrow(const Channel& channel) {
  if (std::exchange(told_narrow_, true) || !options_.on_narrow) return;
  options_.on_narrow(channel.peer, sizes_.most());
}

// When the channel has to be looked after again.
template <Port P>
int64_t ChannelDriver<P>::LookAfter(Channel& channel, int64_t now,
                                    bool looked) {
  int64_t next = kNever;
  for (const Lane lane : {Lane::kReply, Lane::kRequest}) {
    SendWindow& window = channel.lane(lane).send;
    const auto expiry =
        window.OnTimer(now, options_.timing, channel.round_trip);
    if (expiry == SendWindow::Expiry::kAsk) ++statistics_.probes;
    if (expiry == SendWindow::Expiry::kTimeout) {
      ++statistics_.timeouts;
      if (options_.has_left && options_.has_left(channel.peer)) {
        window.Abandon(pool_);
        continue;
      }
      if (looked) NoteSilence(channel, now);
    }
    if (window.Empty()) continue;
    next =
        std::min(next, transmitter_.Transmit(
                           channel, lane, window.in_flight() < kPromptPackets));
  }
  if (channel.owed_packets > 0 && now >= channel.ack_due &&
      !transmitter_.SendAck(channel)) {
    return std::min(next, now + options_.timing.port_retry);
  }
  return channel.owed_packets > 0 ? std::min(next, channel.ack_due) : next;
}

template <Port P>
void ChannelDriver<P>::Maintain() {
  if (held_.load(std::memory_order_relaxed)) Flush();
  if (!urgent_.empty()) SendUrgentAcks();
  const int64_t deadline = deadline_.load(std::memory_order_relaxed);
  if (deadline == kNever) return;
  const int64_t now = transmitter_.ReadClock();
  if (now >= deadline) LookAfterTimers(now, false);
}

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_CHANNEL_DRIVER_TIMER_H_
