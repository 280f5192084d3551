// Hands packets to the port: completes the header, seals, sends, and tells the
// window what was taken. Every packet carries the acknowledgements of both
// lanes. Under the lock of the endpoint.
#ifndef CORE_DATAGRAM_TRANSMITTER_H_
#define CORE_DATAGRAM_TRANSMITTER_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/cache_line.h"
#include "base/round_up.h"
#include "core/datagram/channel_options.h"
#include "core/datagram/channel_table.h"
#include "core/datagram/packet.h"
#include "core/datagram/port.h"
#include "core/datagram/seal.h"
#include "core/datagram/statistics.h"
#include "core/datagram/tuning.h"
#include "core/lane.h"

namespace gasnet::datagram {

template <Port P>
class Transmitter {
 public:
  Transmitter(P& port, const ChannelOptions& options, const PathSizes& sizes,
              const Seal& seal, ChannelTable& channels, Statistics& statistics)
      : port_(port),
        options_(options),
        sizes_(sizes),
        seal_(seal),
        channels_(channels),
        statistics_(statistics),
        scratch_(new std::byte[std::max(kBytesAtOnce, sizes.most()) +
                               sizes.most() + kMostAtOnce * kCacheLine]),
        padded_(new std::byte[sizes.most()]) {}

  // Sends what the lane's window permits, the open packet too if `with_open`.
  // Answers when to look after the lane again.
  int64_t Transmit(Channel& channel, Lane lane, bool with_open) {
    SendWindow& window = channel.lane(lane).send;
    if (window.lost() > 0) [[unlikely]]
      ConsiderDoubt(channel, window.FirstLost());
    const SendWindow::Limits limits{options_.depth, channel.peer_window,
                                    with_open};
    bool taken_all = true;
    for (bool more = true; more && taken_all;) {
      std::array<Packet*, kMostAtOnce> packets;
      const size_t most = at_once_;
      const size_t picked = window.Pick(limits, std::span(packets).first(most));
      if (picked == 0) break;
      const size_t whole =
          Together(std::span(packets).first(picked), channel.path.Bytes());
      taken_all = whole > 0 ? Hand(channel, lane, limits,
                                   std::span(packets).first(whole))
                            : HandTooLarge(channel, lane, limits, packets[0]);
      more = std::max<size_t>(whole, 1) < picked || picked == most;
    }
    const int64_t deadline =
        window.Deadline(options_.timing, channel.round_trip);
    return taken_all ? deadline
                     : std::min(deadline, now_ + options_.timing.port_retry);
  }

  // An acknowledgement by itself; false when the port is full.
  bool SendAck(Channel& channel) {
    alignas(kDatagramAlignment) std::array<std::byte, kHeaderBytes> packet{};
    EncodeHeader(HeaderTo(channel), packet.data());
    seal_.Sign(packet);
    const Outgoing datagram{packet};
    if (port_.Send(channel.peer, {&datagram, 1}) == 0) return false;
    ++statistics_.acks_sent;
    Acknowledged(channel);
    return true;
  }

  // The clock as it was last read.
  int64_t now() const { return now_; }
  int64_t ReadClock() { return now_ = port_.Now(); }

 private:
  // How many of the first packets to hand over in one call; 0: the first is
  // larger than the path is known to take.
  static size_t Together(std::span<Packet* const> packets, size_t path_bytes) {
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

  static void Acknowledged(Channel& channel) {
    channel.owed_packets = 0;
    channel.urgent = false;
    channel.crosses = false;
  }

  Header HeaderTo(const Channel& channel) {
    return {.counter = ++counter_,
            .source = static_cast<uint16_t>(options_.me),
            .target = static_cast<uint16_t>(channel.peer),
            .flags = channel.path.flags(),
            .window = channels_.WindowToOffer(),
            .acks = {channel.lanes[0].receive.acks(),
                     channel.lanes[1].receive.acks()}};
  }

  Header HeaderOf(Channel& channel, Lane lane, const Packet& packet,
                  bool asks) {
    Header header = HeaderTo(channel);
    header.lane = lane;
    header.sequence = packet.sequence;
    if (asks) header.flags |= kAckNow;
    if (channel.lane(lane).send.expiries() > 0) header.flags |= kProbe;
    return header;
  }

  // The size that the packet is padded to, so that it proves a size; 0: none.
  size_t SizeToTry(Channel& channel, Lane lane, const Packet& packet) {
    return packet.transmissions > 0
               ? 0
               : channel.path.PadTo(sizes_, lane, packet.sequence,
                                    packet.size());
  }

  // Bytes that are put together or encrypted go to the scratch memory: the
  // packet may have to be sent again, so it stays as it is. So does lent memory
  // that is sent again: if it changes all the time, its tag may have been of
  // other bytes than the port read, and would be so each time.
  Outgoing Complete(Channel& channel, Lane lane, Packet& packet, bool ask,
                    std::byte* scratch) {
    const size_t padded = SizeToTry(channel, lane, packet);
    packet.padded = padded > 0;
    const bool asks = ask || packet.transmissions > 0 || padded > 0;
    EncodeHeader(HeaderOf(channel, lane, packet, asks), packet.bytes);
    if (padded > packet.size()) [[unlikely]]
      return SealPadded(packet.outgoing(), padded, scratch);
    const Outgoing plain = packet.outgoing();
    if (options_.encrypt) {
      seal_.Encrypt(plain, scratch);
    } else if (plain.body.empty()) {
      seal_.Sign(packet.head());
      return plain;
    } else if (seal_.SignsTwoPlaces() && packet.transmissions == 0) {
      seal_.Sign(packet.head(), plain.body);
      return plain;
    } else {
      plain.CopyTo(scratch);
      seal_.Sign({scratch, plain.size()});
    }
    return {{scratch, plain.size()}};
  }

  [[gnu::cold, gnu::noinline]] Outgoing SealPadded(const Outgoing& packet,
                                                   size_t bytes,
                                                   std::byte* scratch) {
    const MutableBytes padded{padded_.get(), bytes};
    packet.CopyTo(padded.data());
    EncodePadding(padded.data(), packet.size(), bytes);
    if (options_.encrypt) {
      seal_.Encrypt({padded}, scratch);
      return {{scratch, bytes}};
    }
    seal_.Sign(padded);
    return {padded};
  }

  // With a window so small that the receiver would not acknowledge before it
  // is used up, the packet that fills it has to ask. Large ones are transmitted
  // one by one, so what comes behind them is not in the window yet.
  static bool FillsSmallWindow(const SendWindow& window,
                               const SendWindow::Limits& limits,
                               std::span<Packet* const> packets) {
    if (!window.HasClosed() && packets.back()->size() < kLargeDatagram)
      return false;
    return window.in_flight() + packets.size() < kSmallWindow &&
           window.IsFullWith(packets, limits);
  }

  // Whether the port took them all.
  bool Hand(Channel& channel, Lane lane, const SendWindow::Limits& limits,
            std::span<Packet* const> packets) {
    SendWindow& window = channel.lane(lane).send;
    const bool ask = FillsSmallWindow(window, limits, packets);
    std::byte* scratch = scratch_.get();
    for (size_t i = 0; i < packets.size(); ++i) {
      outgoing_[i] = Complete(channel, lane, *packets[i],
                              ask && i + 1 == packets.size(), scratch);
      scratch += RoundUp(outgoing_[i].size(), kCacheLine);
    }
    const size_t taken = SendFirst(channel, packets.size());
    for (size_t i = 0; i < taken; ++i) NoteSent(window, packets[i]);
    if (taken > 0) Acknowledged(channel);
    return taken == packets.size();
  }

  // Hands over the first of `outgoing_`; how many the port took.
  size_t SendFirst(Channel& channel, size_t count) {
    const size_t taken =
        port_.Send(channel.peer, std::span(outgoing_).first(count));
    ReadClock();  // while they are under way
    at_once_ = taken == count ? std::min(2 * at_once_, kMostAtOnce)
                              : std::max(taken, size_t{1});
    return taken;
  }

  void NoteSent(SendWindow& window, Packet* packet) {
    ++(packet->transmissions > 0 ? statistics_.retransmissions
                                 : statistics_.packets_sent);
    window.Sent(packet, now_);
  }

  [[gnu::cold, gnu::noinline]] void ConsiderDoubt(Channel& channel,
                                                  const Packet& lost) {
    if (lost.transmissions >= kMostWhole && lost.size() > sizes_.least()) {
      channel.path.Doubt(sizes_);
    }
  }

  // A packet that was cut when the path was known to take more, or is thought
  // to have: whole where it may prove that size, else in pieces. Whether the
  // port took all of it.
  [[gnu::cold, gnu::noinline]] bool HandTooLarge(
      Channel& channel, Lane lane, const SendWindow::Limits& limits,
      Packet* packet) {
    if (SizeToTry(channel, lane, *packet) > 0) {
      return Hand(channel, lane, limits, {&packet, 1});
    }
    packet->outgoing().CopyTo(padded_.get());
    packet->padded = false;
    const size_t each = PieceBytes(sizes_.least());
    const size_t count = (packet->size() - kHeaderBytes + each - 1) / each;
    while (packet->next_piece < count) {
      const size_t some = std::min(at_once_, count - packet->next_piece);
      std::byte* scratch = scratch_.get();
      for (size_t i = 0; i < some; ++i) {
        outgoing_[i] = CompletePiece(channel, lane, *packet,
                                     packet->next_piece + i, scratch);
        scratch += RoundUp(outgoing_[i].size(), kCacheLine);
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

  // The packet is in `padded_`, in one place. Each of its pieces has a counter
  // of its own, as everything that is sealed; the last one asks.
  Outgoing CompletePiece(Channel& channel, Lane lane, const Packet& packet,
                         size_t index, std::byte* scratch) {
    const size_t each = PieceBytes(sizes_.least());
    const size_t total = packet.size() - kHeaderBytes;
    const size_t offset = index * each;
    const size_t length = std::min(each, total - offset);
    const Piece piece{static_cast<uint32_t>(total),
                      static_cast<uint32_t>(offset),
                      {padded_.get() + kHeaderBytes + offset, length}};
    alignas(kDatagramAlignment) std::array<std::byte, kPieceHeadBytes> head{};
    EncodeHeader(HeaderOf(channel, lane, packet, offset + length == total),
                 head.data());
    EncodePieceHead(piece, head.data());
    const Outgoing datagram{head, piece.bytes};
    if (options_.encrypt) {
      seal_.Encrypt(datagram, scratch);
    } else {
      datagram.CopyTo(scratch);
      seal_.Sign({scratch, datagram.size()});
    }
    return {{scratch, datagram.size()}};
  }

  P& port_;
  const ChannelOptions& options_;
  const PathSizes& sizes_;
  const Seal& seal_;
  ChannelTable& channels_;
  Statistics& statistics_;
  // For what is handed over at once; never touched while nothing needs it.
  const std::unique_ptr<std::byte[]> scratch_;
  // A packet that is padded, or taken to pieces.
  const std::unique_ptr<std::byte[]> padded_;
  // Of the call under way; here, since to make it takes time.
  std::array<Outgoing, kMostAtOnce> outgoing_;
  uint64_t counter_ = 0;
  int64_t now_ = 0;
  // At most so many datagrams in the next call. Datagrams that a full port
  // refuses have to be sealed again, so it is offered few, and more as it takes
  // them.
  size_t at_once_ = kMostAtOnce;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_TRANSMITTER_H_
