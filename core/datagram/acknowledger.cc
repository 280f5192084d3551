#include "core/datagram/acknowledger.h"

#include "core/datagram/tuning.h"

namespace gasnet::datagram {

Acknowledger::Acknowledger(const Timing& timing, ChannelTable& channels,
                           Transmitter& transmitter, Deadline& deadline)
    : timing_(timing),
      channels_(channels),
      transmitter_(transmitter),
      deadline_(deadline) {
  urgent_.reserve(kMaxUrgent);
}

void Acknowledger::OnPacket(Channel& channel, size_t bytes) {
  if (channel.urgent) urgent_.push_back(&channel);
  if (channel.owed_packets == 0) return;
  deadline_.NeedBy(channel.ack_due);
  if (bytes >= kLargeDatagram && !channel.CanAcksWait()) {
    channel.crosses = some_cross_ = true;
  }
}

// Makes crossing acknowledgements (acknowledger.h) urgent, because the peers
// wait for them. Called when a poll found nothing more and no packet has
// carried them.
void Acknowledger::EndCrossings() {
  some_cross_ = false;
  channels_.ForActive([&](Channel& channel) {
    if (!channel.crosses) return;
    channel.urgent = true;
    urgent_.push_back(&channel);
  });
}

void Acknowledger::SendToUrgent() {
  for (Channel* const channel : urgent_) {
    // A packet may have carried the acknowledgement since it became urgent.
    if (channel->urgent && !transmitter_.SendAck(*channel)) {
      channel->ack_due = transmitter_.now();
      deadline_.NeedBy(transmitter_.now() + timing_.port_retry);
    }
  }
  urgent_.clear();
}

void Acknowledger::SendDue(Channel& channel, int64_t now) {
  if (channel.owed_packets == 0) return;
  if (now < channel.ack_due) {
    deadline_.NeedBy(channel.ack_due);
  } else if (!transmitter_.SendAck(channel)) {
    deadline_.NeedBy(now + timing_.port_retry);
  }
}

void Acknowledger::SendAll() {
  channels_.ForActive([&](Channel& channel) {
    if (channel.owed_packets > 0) transmitter_.SendAck(channel);
  });
}

}  // namespace gasnet::datagram
