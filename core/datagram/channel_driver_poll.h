// ChannelDriver: construction, receiving, and transmitting what was appended.
#ifndef CORE_DATAGRAM_CHANNEL_DRIVER_POLL_H_
#define CORE_DATAGRAM_CHANNEL_DRIVER_POLL_H_

#include <utility>

#include "base/log.h"
#include "core/datagram/channel_driver.h"
#include "core/datagram/tuning.h"

namespace gasnet::datagram {

template <Port P>
ChannelDriver<P>::ChannelDriver(
    P& port, const ChannelOptions& options, const Seal& seal,
    PacketPool::Counts (*least)(const PathSizes& sizes))
    : port_(port),
      options_(options),
      seal_(seal),
      sizes_(options.sure_datagram, port.MaxDatagram()),
      pool_(options.pool_bytes, sizes_.most(), least(sizes_)),
      channels_(options.ranks, options.receive_window_bytes, sizes_),
      packets_(options_, sizes_, seal_, channels_, pool_, statistics_),
      transmitter_(port, options_, sizes_, seal_, channels_, statistics_) {
  if (options.depth == 0 || options.depth > kWindow) {
    Fatal("datagram endpoint: depth %u; accepted: 1 to %u", options.depth,
          kWindow);
  }
  if (options.ranks > 65536 || options.me >= options.ranks) {
    Fatal("datagram endpoint: rank %u of %u; accepted: up to 65536 ranks",
          options.me, options.ranks);
  }
  urgent_.reserve(kMostUrgent);
}

template <Port P>
void ChannelDriver<P>::Dispatch(Channel& channel, Lane lane) {
  SendWindow& window = channel.lane(lane).send;
  ++sends_since_poll_;
  channels_.Activate(channel);
  const bool gathers =
      lane == Lane::kReply && gathering_.load(std::memory_order_relaxed) > 0;
  // Late acknowledgements are of a packet at least.
  const unsigned most =
      late_.channel == nullptr ? kPromptPackets : kPromptPackets + 1;
  const bool eager = window.in_flight() < most && !gathers;
  if (eager || window.HasClosed()) Transmit(channel, lane, eager);
  if (window.open() == nullptr) return;
  held_.store(true, std::memory_order_relaxed);
  NeedBy(transmitter_.now() + options_.timing.hold);
}

template <Port P>
typename P::Batch* ChannelDriver<P>::Receive(bool again) {
  Settle();
  typename P::Batch* const batch = port_.Receive();
  // Then what has come has come since the clock was read.
  const bool waited = std::exchange(found_nothing_, batch == nullptr) && again;
  if (batch != nullptr) {
    // No atomic addition: it costs as much as the lock that we have.
    receipts_.store(receipts() + 1, std::memory_order_relaxed);
    if (!waited) ReadClock();
  }
  return batch;
}

template <Port P>
void ChannelDriver<P>::Taken(const Arrival& arrival, bool alone) {
  Channel& channel = *arrival.channel;
  const LaneAcks& acks = arrival.header.acks;
  const int64_t now = transmitter_.now();
  if (alone && channel.CanAcksWait()) {
    late_ = {&channel, acks, now};
  } else {
    TakeAcks(channel, acks, now);
  }
  if (channel.urgent) urgent_.push_back(&channel);
  if (channel.owed_packets == 0) return;
  NeedBy(channel.ack_due);
  if (arrival.packet.size() >= kLargeDatagram && !channel.CanAcksWait()) {
    channel.crosses = some_cross_ = true;
  }
}

template <Port P>
void ChannelDriver<P>::EndPoll(bool again) {
  if (found_nothing_ && some_cross_) [[unlikely]]
    EndCrossings();
  SendWhatIsDue();
  polled_again_ = again;
}

// The poll found nothing more, and no packet has taken the acknowledgement
// along. The peer waits for it, as this rank does for the peer's, or did until
// that came: each would wait for the other's delay.
template <Port P>
void ChannelDriver<P>::EndCrossings() {
  some_cross_ = false;
  channels_.ForActive([&](Channel& channel) {
    if (!channel.crosses) return;
    channel.urgent = true;
    urgent_.push_back(&channel);
  });
}

// Sends what acknowledgements have made room for.
template <Port P>
void ChannelDriver<P>::Pump(Channel& channel) {
  for (const Lane lane : {Lane::kReply, Lane::kRequest}) {
    const SendWindow& window = channel.lane(lane).send;
    if (!window.Empty()) {
      Transmit(channel, lane, window.in_flight() < kPromptPackets);
    }
  }
}

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_CHANNEL_DRIVER_POLL_H_
