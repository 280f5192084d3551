#include "core/datagram/packet_receiver.h"

#include "core/datagram/tuning.h"

namespace gasnet::datagram {
PacketReceiver::PacketReceiver(const ChannelOptions& options,
                               const PathSizes& sizes, const Seal& seal,
                               ChannelTable& channels, PacketPool& pool,
                               DatagramStatistics& statistics)
    : options_(options),
      sizes_(sizes),
      seal_(seal),
      channels_(channels),
      pool_(pool),
      statistics_(statistics),
      pieces_{PieceStore(sizes.least(), sizes.most(), options.piece_bytes),
              PieceStore(sizes.least(), sizes.most(), options.piece_bytes)} {}

bool PacketReceiver::Open(MutableBytes datagram, PacketHeader& header) {
  const auto drop = [this](Drop reason) {
    statistics_.Count(reason);
    return false;
  };
  if (datagram.size() < kHeaderBytes || datagram.size() > sizes_.most()) {
    return drop(Drop::kSize);
  }
  const bool authentic =
      options_.encrypt ? seal_.Decrypt(datagram) : seal_.Verify(datagram);
  if (!authentic) return drop(Drop::kForged);
  if (!DecodeHeader(datagram, header)) return drop(Drop::kHeader);
  if (header.target != options_.me || RailOf(header) != options_.rail) {
    return drop(Drop::kTarget);
  }
  if (header.source >= options_.ranks || header.source == options_.me) {
    return drop(Drop::kSource);
  }
  return true;
}

ReceivedDatagram PacketReceiver::Accept(MutableBytes datagram, int64_t now) {
  ReceivedDatagram arrival;
  const PacketHeader& header = arrival.header;
  if (!Open(datagram, arrival.header)) return arrival;
  Channel& channel = channels_.To(header.source);
  arrival.channel = &channel;
  Note(channel, header);
  if (header.sequence == 0) {
    if ((header.flags & kAckNow) != 0) Owe(channel, header, now);
    return arrival;
  }
  switch (channel.lane(header.lane).receive.Judge(header.sequence)) {
    case ReceiveWindow::Verdict::kTooFarAhead:
      statistics_.Count(Drop::kTooFar);
      break;
    case ReceiveWindow::Verdict::kDuplicate:
      statistics_.Count(Drop::kDuplicate);
      channel.urgent = true;
      Owe(channel, header, now);
      break;
    case ReceiveWindow::Verdict::kNew:
      // Only a new packet makes its source an active sender. Active senders
      // share the receive window, and an attacker can replay old packets.
      channels_.NoteSender(channel, now);
      channel.path.OnDatagram(sizes_, datagram.size());
      arrival.packet = datagram;
      if (IsPiece(datagram)) [[unlikely]]
        Join(datagram, arrival);
      break;
  }
  return arrival;
}

void PacketReceiver::Register(const ReceivedDatagram& arrival, int64_t now) {
  Channel& channel = *arrival.channel;
  ReceiveWindow& window = channel.lane(arrival.header.lane).receive;
  window.Register(arrival.header.sequence);
  ++statistics_.packets_received;
  channel.urgent |= window.HasGap();
  Owe(channel, arrival.header, now);
}

Channel* PacketReceiver::AcceptUnhandled(MutableBytes datagram, int64_t now) {
  PacketHeader header;
  if (!Open(datagram, header)) return nullptr;
  Channel* const channel = channels_.Find(header.source);
  if (channel == nullptr) return nullptr;
  Note(*channel, header);
  TakeAcks(*channel, header.acks, now);
  if (header.sequence == 0) return channel;
  ReceiveWindow& window = channel->lane(header.lane).receive;
  switch (window.Judge(header.sequence)) {
    case ReceiveWindow::Verdict::kTooFarAhead:
      statistics_.Count(Drop::kTooFar);
      break;
    case ReceiveWindow::Verdict::kDuplicate:
      statistics_.Count(Drop::kDuplicate);
      break;
    case ReceiveWindow::Verdict::kNew:
      // One piece of a packet is enough here: the process ends and needs no
      // contents.
      channel->path.OnDatagram(sizes_, datagram.size());
      window.Register(header.sequence);
      ++statistics_.packets_received;
      break;
  }
  Owe(*channel, header, now);
  return channel;
}

// Adds the piece. If it completes a packet, the packet is handled as if it had
// arrived whole.
void PacketReceiver::Join(ConstBytes datagram, ReceivedDatagram& arrival) {
  const PacketHeader& header = arrival.header;
  arrival.packet = {};
  PieceStore& store = PiecesOf(header.lane);
  Piece piece;
  if (!DecodePiece(datagram, piece) || !store.IsSound(piece)) {
    statistics_.Count(Drop::kMalformed);
    return;
  }
  JoinedPacket* const joined = FindJoined(*arrival.channel, header, piece);
  if (joined == nullptr) {
    statistics_.Count(Drop::kNoRoom);
    return;
  }
  joined->Add(piece);
  if (!joined->IsComplete()) return;
  store.Detach(joined);
  arrival.joined = joined;
  arrival.packet = joined->packet();
}

JoinedPacket* PacketReceiver::FindJoined(const Channel& channel,
                                         const PacketHeader& header,
                                         const Piece& piece) {
  PieceStore& store = PiecesOf(header.lane);
  const auto& lanes = channel.lanes;
  const bool first =
      lanes[static_cast<size_t>(header.lane)].receive.IsNext(header.sequence);
  const auto find = [&] {
    return store.Find(header.source, header.sequence, piece, first);
  };
  if (JoinedPacket* const found = find()) return found;
  store.ForgetIf([&](const JoinedPacket& packet) {
    const auto& window =
        channels_.Find(packet.source())->lane(header.lane).receive;
    return window.Judge(packet.sequence()) != ReceiveWindow::Verdict::kNew;
  });
  return find();
}

// Updates the channel with the header's values. Ignores packets that are late
// or that an attacker replays, because their values are out of date.
void PacketReceiver::Note(Channel& channel, const PacketHeader& header) {
  if (header.counter <= channel.newest_counter) return;
  channel.newest_counter = header.counter;
  channel.path.OnFlags(sizes_, header.flags);
  channel.silent_since = 0;
  if (header.window != 0) {
    channel.peer_window = uint64_t{header.window} * 1024;
  }
}

bool PacketReceiver::TakeAcks(Channel& channel, const LaneAcks& acks,
                              int64_t now) {
  unsigned acknowledged = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    acknowledged +=
        channel.lanes[lane]
            .send
            .OnAcks(acks[lane], now, options_.depth, channel.round_trip, pool_)
            .acknowledged;
  }
  return acknowledged > 0;
}

void PacketReceiver::Owe(Channel& channel, const PacketHeader& header,
                         int64_t now) {
  if (channel.owed_packets++ == 0) {
    channel.ack_due = now + options_.timing.ack_delay;
    channels_.Activate(channel);
  }
  channel.urgent |=
      (header.flags & kAckNow) != 0 || channel.owed_packets >= kOwedPackets;
}

}  // namespace gasnet::datagram
