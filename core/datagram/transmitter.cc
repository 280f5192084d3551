#include "core/datagram/transmitter.h"

#include <algorithm>

#include "core/datagram/packet.h"

namespace gasnet::datagram {
namespace {

// Returns how many of the first packets can be handed over in one call. Returns
// 0 if the first packet exceeds the path's known size.
size_t Together(std::span<Packet* const> packets, size_t path_bytes) {
  size_t bytes = 0;
  size_t count = 0;
  while (count < packets.size()) {
    const size_t size = packets[count]->size();
    if (size > path_bytes) [[unlikely]]
      break;
    bytes += size;
    if (bytes > kBytesAtOnce && count > 0) break;
    ++count;
  }
  return count;
}

// Returns true if the last packet must ask for an acknowledgement. That is the
// case if the window is so small that the receiver would send no
// acknowledgement before the window is full. Large packets are transmitted one
// by one, so later ones are not in the window yet.
bool FillsSmallWindow(const SendWindow& window,
                      const SendWindow::Limits& limits,
                      std::span<Packet* const> packets) {
  if (!window.HasClosed() && packets.back()->size() < kLargeDatagram)
    return false;
  return window.in_flight() + packets.size() < kSmallWindow &&
         window.IsFullWith(packets, limits);
}

void Acknowledged(Channel& channel) {
  channel.owed_packets = 0;
  channel.urgent = false;
  channel.crosses = false;
}

}  // namespace

void Transmitter::Transmit(Channel& channel, Lane lane, bool with_open) {
  SendWindow& window = channel.lane(lane).send;
  if (window.lost() > 0) [[unlikely]]
    ConsiderDoubt(channel, window.FirstLost());
  const SendWindow::Limits limits{options_.depth, channel.peer_window,
                                  with_open};
  bool taken_all = true;
  for (bool more = true; more && taken_all;) {
    std::array<Packet*, kMaxAtOnce> packets;
    const size_t most = at_once_;
    const size_t picked = window.Pick(limits, std::span(packets).first(most));
    if (picked == 0) break;
    const size_t whole =
        Together(std::span(packets).first(picked), channel.path.Bytes());
    taken_all =
        whole > 0 ? Hand(channel, lane, limits, std::span(packets).first(whole))
                  : HandTooLarge(channel, lane, limits, packets[0]);
    more = std::max<size_t>(whole, 1) < picked || picked == most;
  }
  deadline_.NeedBy(window.Deadline(options_.timing, channel.round_trip));
  if (!taken_all) deadline_.NeedBy(now_ + options_.timing.port_retry);
}

bool Transmitter::SendAck(Channel& channel) {
  alignas(kDatagramAlignment) std::array<std::byte, kHeaderBytes> packet{};
  sealer_.CompleteAck(channel, packet);
  const Outgoing datagram{packet};
  if (port_.Send(channel.peer, {&datagram, 1}) == 0) return false;
  ++statistics_.acks_sent;
  Acknowledged(channel);
  return true;
}

// Hands over packets. Returns true if the port took all of them.
bool Transmitter::Hand(Channel& channel, Lane lane,
                       const SendWindow::Limits& limits,
                       std::span<Packet* const> packets) {
  SendWindow& window = channel.lane(lane).send;
  const bool asks = FillsSmallWindow(window, limits, packets);
  sealer_.Restart();
  for (size_t i = 0; i < packets.size(); ++i) {
    outgoing_[i] = sealer_.Complete(channel, lane, *packets[i],
                                    asks && i + 1 == packets.size());
  }
  const size_t taken = SendFirst(channel, packets.size());
  for (size_t i = 0; i < taken; ++i) NoteSent(window, packets[i]);
  if (taken > 0) Acknowledged(channel);
  return taken == packets.size();
}

// Hands over a packet that was made when the path's known size was larger. The
// packet goes whole if it may prove that size, otherwise in pieces. Returns
// true if the port took all of it.
bool Transmitter::HandTooLarge(Channel& channel, Lane lane,
                               const SendWindow::Limits& limits,
                               Packet* packet) {
  if (sealer_.IsToProve(channel, lane, *packet)) {
    return Hand(channel, lane, limits, {&packet, 1});
  }
  const size_t count = sealer_.CutIntoPieces(*packet);
  while (packet->next_piece < count) {
    const size_t some = std::min(at_once_, count - packet->next_piece);
    sealer_.Restart();
    for (size_t i = 0; i < some; ++i) {
      outgoing_[i] =
          sealer_.CompletePiece(channel, lane, *packet, packet->next_piece + i);
    }
    const size_t taken = SendFirst(channel, some);
    packet->next_piece = static_cast<uint16_t>(packet->next_piece + taken);
    if (taken < some) return false;
  }
  packet->next_piece = 0;
  NoteSent(channel.lane(lane).send, packet);
  Acknowledged(channel);
  return true;
}

// Hands over the first `count` of `outgoing_`. Returns how many the port took.
size_t Transmitter::SendFirst(Channel& channel, size_t count) {
  const size_t taken =
      port_.Send(channel.peer, std::span(outgoing_).first(count));
  ReadClock();  // after the send, so that it delays no datagram
  at_once_ = taken == count ? std::min(2 * at_once_, kMaxAtOnce)
                            : std::max(taken, size_t{1});
  return taken;
}

void Transmitter::NoteSent(SendWindow& window, Packet* packet) {
  ++(packet->transmissions > 0 ? statistics_.retransmissions
                               : statistics_.packets_sent);
  window.Sent(packet, now_);
}

void Transmitter::ConsiderDoubt(Channel& channel, const Packet& lost) {
  if (lost.transmissions >= kMaxWhole && lost.size() > sizes_.least()) {
    channel.path.Doubt(sizes_);
  }
}

}  // namespace gasnet::datagram
