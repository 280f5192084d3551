#include "core/datagram/channel_driver.h"

#include "base/clock.h"
#include "base/log.h"

namespace gasnet::datagram {

ChannelDriver::ChannelDriver(Port& port, const ChannelOptions& options,
                             const Seal& seal,
                             PacketPool::Counts (*least)(const PathSizes&))
    : port_(port),
      options_(options),
      seal_(seal),
      sizes_(options.sure_datagram, port.MaxDatagram()),
      pool_(options.pool_bytes, sizes_.most(), least(sizes_)),
      channels_(options.ranks, options.receive_window_bytes, sizes_),
      packets_(options_, sizes_, seal_, channels_, pool_, statistics_),
      transmitter_(port, options_, sizes_, seal_, channels_, statistics_,
                   deadline_),
      acknowledger_(options_.timing, channels_, transmitter_, deadline_),
      timer_(options_, pool_, transmitter_, statistics_) {
  if (options.depth == 0 || options.depth > kWindow) {
    Fatal("datagram endpoint: depth %u; accepted: 1 to %u", options.depth,
          kWindow);
  }
  if (options.ranks > 65536 || options.me >= options.ranks) {
    Fatal("datagram endpoint: rank %u of %u; accepted: up to 65536 ranks",
          options.me, options.ranks);
  }
}

// Sends packets for which acknowledgements have made room.
void ChannelDriver::Pump(Channel& channel) {
  for (const Lane lane : {Lane::kReply, Lane::kRequest}) {
    const SendWindow& window = channel.lane(lane).send;
    if (!window.Empty()) {
      Transmit(channel, lane, window.in_flight() < kPromptPackets);
    }
  }
}

// Sends the open packets, as far as windows permit.
void ChannelDriver::Flush() {
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

Batch* ChannelDriver::Receive(bool again) {
  Settle();
  Batch* const batch = port_.Receive();
  // If the caller waits and the previous poll found nothing, the batch has just
  // arrived. The cached time is then at most a few polls old, and the clock
  // need not be read.
  const bool waited = std::exchange(found_nothing_, batch == nullptr) && again;
  if (batch != nullptr) {
    // A plain load and store are enough, since the lock is held. An atomic
    // addition would cost as much as the lock.
    receipts_.store(receipts() + 1, std::memory_order_relaxed);
    if (!waited) ReadClock();
  }
  return batch;
}

void ChannelDriver::Taken(const ReceivedDatagram& arrival, bool alone) {
  Channel& channel = *arrival.channel;
  const LaneAcks& acks = arrival.header.acks;
  const int64_t now = transmitter_.now();
  if (alone && channel.CanAcksWait()) {
    late_ = {&channel, acks, now};
  } else {
    TakeAcks(channel, acks, now);
  }
  acknowledger_.OnPacket(channel, arrival.packet.size());
}

void ChannelDriver::TakeAcks(Channel& channel, const LaneAcks& acks,
                             int64_t arrived) {
  if (channel.path.OnAcks(sizes_, acks)) [[unlikely]]
    NoteNarrow(channel);
  if (packets_.TakeAcks(channel, acks, arrived)) Pump(channel);
}

// Reports that datagrams of the largest size do not reach the channel's peer.
void ChannelDriver::NoteNarrow(const Channel& channel) {
  if (std::exchange(told_narrow_, true) || !options_.on_narrow) return;
  options_.on_narrow(channel.peer, sizes_.most());
}

void ChannelDriver::ServeTimers() {
  const bool received = !found_nothing_;
  const int64_t now = received        ? transmitter_.now()
                      : polled_again_ ? TimeInWait()
                                      : ReadClock();
  if (now < NextDeadline()) return;
  // After a pause of the client, the acknowledgements that the timers wait for
  // may have arrived but not been read yet. So the timers are put off for a few
  // polls that receive something.
  if (received && ++overdue_ < kMaxOverdue) return;
  LookAfterTimers(now, !received);
}

void ChannelDriver::LookAfterTimers(int64_t now, bool looked) {
  Settle();
  deadline_.Clear();
  overdue_ = 0;
  if (MayHold()) Flush();
  channels_.ForActive([&](Channel& channel) {
    timer_.LookAfter(channel, now, looked);
    acknowledger_.SendDue(channel, now);
  });
}

void ChannelDriver::Maintain() {
  if (MayHold()) Flush();
  acknowledger_.SendUrgent();
  if (NextDeadline() == kNever) return;
  const int64_t now = transmitter_.ReadClock();
  if (now >= NextDeadline()) LookAfterTimers(now, false);
}

bool ChannelDriver::DrainStep() {
  Settle();
  const int64_t now = transmitter_.ReadClock();
  for (unsigned left = kDrainBatches; left > 0; --left) {
    Batch* const batch = port_.ReceiveSpare();
    if (batch == nullptr) break;
    for (const MutableBytes datagram : batch->datagrams()) {
      Channel* const channel = packets_.AcceptUnhandled(datagram, now);
      if (channel != nullptr) Pump(*channel);
    }
    port_.Release(batch);
  }
  Flush();
  acknowledger_.SendAll();
  if (now >= NextDeadline()) LookAfterTimers(now, false);
  return pool_.used() == 0;
}

}  // namespace gasnet::datagram
