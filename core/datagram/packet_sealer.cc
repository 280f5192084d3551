#include "core/datagram/packet_sealer.h"

#include <algorithm>
#include <array>

#include "base/cache_line.h"
#include "base/round_up.h"
#include "core/datagram/tuning.h"

namespace gasnet::datagram {

PacketSealer::PacketSealer(const ChannelOptions& options,
                           const PathSizes& sizes, const Seal& seal,
                           const ChannelTable& channels)
    : options_(options),
      sizes_(sizes),
      seal_(seal),
      channels_(channels),
      scratch_(new std::byte[std::max(kBytesAtOnce, sizes.most()) +
                             sizes.most() + kMaxAtOnce * kCacheLine]),
      padded_(new std::byte[sizes.most()]),
      counter_(FirstCounter(options.rail)) {}

PacketHeader PacketSealer::HeaderTo(const Channel& channel) {
  return {.counter = ++counter_,
          .source = static_cast<uint16_t>(options_.me),
          .target = static_cast<uint16_t>(channel.peer),
          .flags = channel.path.flags(),
          .window = channels_.WindowToOffer(),
          .acks = {channel.lanes[0].receive.acks(),
                   channel.lanes[1].receive.acks()}};
}

PacketHeader PacketSealer::HeaderOf(Channel& channel, Lane lane,
                                    const Packet& packet, bool asks) {
  PacketHeader header = HeaderTo(channel);
  header.lane = lane;
  header.sequence = packet.sequence;
  if (asks) header.flags |= kAckNow;
  if (channel.lane(lane).send.expiries() > 0) header.flags |= kProbe;
  return header;
}

std::byte* PacketSealer::TakeScratch(size_t bytes) {
  std::byte* const at = scratch_.get() + scratch_used_;
  scratch_used_ += RoundUp(bytes, kCacheLine);
  return at;
}

Outgoing PacketSealer::Encrypt(const Outgoing& plain) {
  std::byte* const sealed = TakeScratch(plain.size());
  seal_.Encrypt(plain, sealed);
  return {{sealed, plain.size()}};
}

Outgoing PacketSealer::SignInOnePlace(const Outgoing& plain) {
  const MutableBytes joined{TakeScratch(plain.size()), plain.size()};
  plain.CopyTo(joined.data());
  seal_.Sign(joined);
  return {joined};
}

Outgoing PacketSealer::Complete(Channel& channel, Lane lane, Packet& packet,
                                bool asks) {
  const size_t padded = SizeToTry(channel, lane, packet);
  packet.padded = padded > 0;
  asks = asks || packet.transmissions > 0 || padded > 0;
  EncodeHeader(HeaderOf(channel, lane, packet, asks), packet.bytes);
  const Outgoing plain = packet.outgoing();
  if (padded > packet.size()) [[unlikely]]
    return SealPadded(plain, padded);
  if (options_.encrypt) return Encrypt(plain);
  if (plain.body.empty()) {
    seal_.Sign(packet.head());
    return plain;
  }
  if (seal_.SignsTwoPlaces() && packet.transmissions == 0) {
    seal_.Sign(packet.head(), plain.body);
    return plain;
  }
  return SignInOnePlace(plain);
}

Outgoing PacketSealer::SealPadded(const Outgoing& packet, size_t bytes) {
  const MutableBytes padded{padded_.get(), bytes};
  packet.CopyTo(padded.data());
  EncodePadding(padded.data(), packet.size(), bytes);
  if (options_.encrypt) return Encrypt({padded});
  seal_.Sign(padded);
  return {padded};
}

void PacketSealer::CompleteAck(const Channel& channel,
                               std::span<std::byte> packet) {
  EncodeHeader(HeaderTo(channel), packet.data());
  seal_.Sign(packet);
}

size_t PacketSealer::CutIntoPieces(Packet& packet) {
  packet.outgoing().CopyTo(padded_.get());
  packet.padded = false;
  const size_t each = PieceLength();
  return (packet.size() - kHeaderBytes + each - 1) / each;
}

// Completes piece `index` of the packet. The whole packet is contiguous in
// `padded_`. The last piece asks for an acknowledgement.
Outgoing PacketSealer::CompletePiece(Channel& channel, Lane lane,
                                     const Packet& packet, size_t index) {
  const size_t total = packet.size() - kHeaderBytes;
  const size_t offset = index * PieceLength();
  const size_t length = std::min(PieceLength(), total - offset);
  const Piece piece{static_cast<uint32_t>(total),
                    static_cast<uint32_t>(offset),
                    {padded_.get() + kHeaderBytes + offset, length}};
  alignas(kDatagramAlignment) std::array<std::byte, kPieceHeadBytes> head{};
  EncodeHeader(HeaderOf(channel, lane, packet, offset + length == total),
               head.data());
  EncodePieceHead(piece, head.data());
  const Outgoing datagram{head, piece.bytes};
  return options_.encrypt ? Encrypt(datagram) : SignInOnePlace(datagram);
}

}  // namespace gasnet::datagram
