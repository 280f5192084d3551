// Endpoint: construction, and sending.
#ifndef CORE_DATAGRAM_ENDPOINT_SEND_H_
#define CORE_DATAGRAM_ENDPOINT_SEND_H_

#include <algorithm>
#include <mutex>

#include "base/log.h"
#include "core/am/payload.h"
#include "core/datagram/endpoint.h"
#include "core/datagram/tuning.h"

namespace gasnet::datagram {

template <Port P>
size_t Endpoint<P>::ChooseMaxLong(const PathSizes& sizes) {
  if (sizes.least() < kLeastDatagram) {
    Fatal("datagram endpoint: datagrams of %zu bytes; accepted: %zu and more",
          sizes.least(), kLeastDatagram);
  }
  const size_t chunk = ChunkOf(sizes.most(), am::Category::kLong, am::kMaxArgs);
  return std::max(kMaxMedium, kDatagramsOfLong * chunk);
}

// Payload of the message's fragments: all that a datagram takes, but so that
// there are kLeastFragments of them.
template <Port P>
size_t Endpoint<P>::PieceOf(const am::Message& message, size_t datagram) const {
  const size_t most = ChunkOf(datagram, message.category, message.num_args);
  const size_t share = (message.nbytes / kLeastFragments + 15) / 16 * 16;
  return std::min(most, std::max(share, kLeastPiece));
}

template <Port P>
PacketPool::Counts Endpoint<P>::LargestInBuffers(const PathSizes& sizes) {
  PacketPool::Counts least;
  for (unsigned step = 0; step <= sizes.top(); ++step) {
    const size_t chunk =
        ChunkOf(sizes[step], am::Category::kLong, am::kMaxArgs);
    size_t& count = sizes[step] <= kSmallBytes ? least.small : least.large;
    count = std::max(count, (ChooseMaxLong(sizes) + chunk - 1) / chunk);
  }
  return least;
}

template <Port P>
Endpoint<P>::Endpoint(P& port, const Options& options, const Seal& seal)
    : port_(port),
      options_(options),
      driver_(port, options_, seal, &LargestInBuffers),
      max_long_(ChooseMaxLong(driver_.sizes())),
      receiver_(options_, driver_.sizes(), driver_.channels(),
                driver_.packets(), driver_.statistics()) {}

template <Port P>
void Endpoint<P>::SetSegment(EndpointIndex endpoint, Segment mine) {
  const Guard guard(lock_);
  receiver_.SetSegment(endpoint, mine);
}

template <Port P>
void Endpoint<P>::RefuseTooLong(Rank peer, const am::Message& message) const {
  const bool is_long = message.category == am::Category::kLong;
  Fatal("%s active message of %zu bytes to rank %u: the limit is %zu",
        is_long ? "Long" : "Medium", message.nbytes, peer,
        is_long ? max_long_ : kMaxMedium);
}

template <Port P>
am::Post Endpoint<P>::Send(Rank peer, am::Lane lane,
                           const am::Message& message) {
  const bool has_payload = message.category != am::Category::kShort;
  if (has_payload && message.nbytes > (message.category == am::Category::kLong
                                           ? max_long_
                                           : kMaxMedium)) [[unlikely]] {
    RefuseTooLong(peer, message);
  }
  const Guard guard(lock_);
  Channel& channel = driver_.channels().To(peer);
  const auto layout = am::RecordLayout::Of(kHeaderBytes, message);
  if (layout.end > channel.path.Bytes() || TravelsAlone(message)) {
    if (message.gather == nullptr) [[likely]]
      return SendFragments(channel, lane, message);
    return SendFragments(channel, lane, am::Gathered(message).message());
  }
  if (!Place(channel, lane, message)) return am::Post::kRetry;
  Dispatch(channel, lane);
  return am::Post::kDone;
}

// Puts the message into the open packet, or into a new one.
template <Port P>
bool Endpoint<P>::Place(Channel& channel, am::Lane lane,
                        const am::Message& message) {
  ChannelLane& to = channel.lane(lane);
  const auto end_of = [&](size_t begin) {
    return am::RecordLayout::Of(begin, message).end;
  };
  if (Packet* const open = to.send.open(); open != nullptr) {
    if (end_of(open->length) <=
        std::min<size_t>(open->capacity, channel.path.Bytes())) {
      open->length = static_cast<uint32_t>(
          am::EncodeMessage(open->bytes, open->length, message));
      return true;
    }
  }
  if (to.send.unsent() >= kMostUnsent) return false;
  Packet* const packet = driver_.pool().Acquire(end_of(kHeaderBytes), lane);
  if (packet == nullptr) return false;
  packet->length = static_cast<uint32_t>(
      am::EncodeMessage(packet->bytes, kHeaderBytes, message));
  to.send.Append(packet, true);
  return true;
}

template <Port P>
void Endpoint<P>::Dispatch(Channel& channel, am::Lane lane) {
  ++driver_.statistics().messages_sent;
  driver_.Dispatch(channel, lane);
}

template <Port P>
am::Post Endpoint<P>::SendFragments(Channel& channel, am::Lane lane,
                                    const am::Message& message) {
  ChannelLane& to = channel.lane(lane);
  const size_t datagram = channel.path.Bytes();
  const size_t piece = PieceOf(message, datagram);
  const size_t count = (message.nbytes + piece - 1) / piece;
  const size_t head = FragmentPayloadAt(message.category, message.num_args);
  const size_t buffer = IsLent(message) ? head : head + piece;
  if (to.send.unsent() >= kMostUnsent ||
      !driver_.pool().Has(count, buffer, lane)) {
    return am::Post::kRetry;
  }
  const uint32_t number = ++to.numbers;
  for (size_t offset = 0; offset < message.nbytes; offset += piece) {
    Packet* const packet = driver_.pool().Acquire(buffer, lane);
    Fill(*packet, message,
         {.number = number,
          .offset = static_cast<uint32_t>(offset),
          .length =
              static_cast<uint32_t>(std::min(piece, message.nbytes - offset))});
    to.send.Append(packet, false);
    // The receiver works at this one while the next is made.
    if (datagram >= kLargeDatagram) driver_.Transmit(channel, lane, false);
  }
  Dispatch(channel, lane);
  return am::Post::kDone;
}

template <Port P>
void Endpoint<P>::Fill(Packet& packet, const am::Message& message,
                       const Fragment& fragment) {
  if (!IsLent(message)) {
    packet.length =
        static_cast<uint32_t>(EncodeFragment(packet.bytes, message, fragment));
    return;
  }
  packet.length = static_cast<uint32_t>(
      EncodeFragmentHead(packet.bytes, message, fragment));
  packet.Borrow(
      message.loan->readers,
      {static_cast<const std::byte*>(message.payload) + fragment.offset,
       fragment.length});
}

template <Port P>
Statistics Endpoint<P>::statistics() const {
  return driver_.statistics();
}

template <Port P>
size_t Endpoint<P>::DatagramTo(Rank peer) const {
  const Guard guard(lock_);
  const Channel* const channel = driver_.channels().Find(peer);
  return channel == nullptr ? driver_.sizes().least() : channel->path.Bytes();
}

template <Port P>
size_t Endpoint<P>::WholeMedium(Rank peer) const {
  const auto layout = am::RecordLayout::Of(kHeaderBytes, am::Category::kMedium,
                                           am::kMaxArgs, 1);
  return std::min(kMaxMedium, (DatagramTo(peer) - layout.payload_at) / 8 * 8);
}

template <Port P>
size_t Endpoint<P>::channels() const {
  const Guard guard(lock_);
  return driver_.channels().made();
}

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_ENDPOINT_SEND_H_
