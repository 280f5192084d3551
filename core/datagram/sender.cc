#include "core/datagram/sender.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/am/fragment.h"
#include "core/am/payload.h"
#include "core/am/records.h"
#include "core/datagram/message_size.h"
#include "core/datagram/packet.h"
#include "core/datagram/packet_pool.h"
#include "core/datagram/tuning.h"

namespace gasnet::datagram {
namespace {

bool IsLent(const am::Message& message) {
  return message.loan != nullptr && message.nbytes >= kMinLent;
}

// Returns true for messages that are always sent as fragments. One fragment may
// be a whole message.
bool TravelsAlone(const am::Message& message) {
  const bool lands = message.category == am::Category::kLong &&
                     message.nbytes > 0 && message.dest_addr == nullptr;
  return IsLent(message) || lands;
}

void Fill(Packet& packet, const am::Message& message,
          const am::Fragment& fragment) {
  if (!IsLent(message)) {
    packet.length = static_cast<uint32_t>(
        am::EncodeFragment(packet.bytes, kHeaderBytes, message, fragment));
    return;
  }
  packet.length = static_cast<uint32_t>(
      am::EncodeFragmentHead(packet.bytes, kHeaderBytes, message, fragment));
  packet.Borrow(
      message.loan->readers,
      {static_cast<const std::byte*>(message.payload) + fragment.offset,
       fragment.length});
}

}  // namespace

am::Post DatagramSender::Send(Channel& channel, am::Lane lane,
                              const am::Message& message) {
  const auto layout = am::RecordLayout::Of(kHeaderBytes, message);
  const bool alone = layout.end > channel.path.Bytes() || TravelsAlone(message);
  const bool placed = alone ? PlaceAlone(channel, lane, message)
                            : Place(channel, lane, message);
  if (!placed) return am::Post::kRetry;
  ++driver_.statistics().messages_sent;
  driver_.Dispatch(channel, lane);
  return am::Post::kDone;
}

bool DatagramSender::MayHaveRoom(Channel& channel, am::Lane lane) {
  const auto& send = channel.lane(lane).send;
  return send.open() != nullptr || send.unsent() < kMaxUnsent;
}

// Puts the message into the open packet, or into a new one.
bool DatagramSender::Place(Channel& channel, am::Lane lane,
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
  if (to.send.unsent() >= kMaxUnsent) return false;
  Packet* const packet = driver_.pool().Acquire(end_of(kHeaderBytes), lane);
  if (packet == nullptr) return false;
  packet->length = static_cast<uint32_t>(
      am::EncodeMessage(packet->bytes, kHeaderBytes, message));
  to.send.Append(packet, true);
  return true;
}

bool DatagramSender::PlaceAlone(Channel& channel, am::Lane lane,
                                const am::Message& message) {
  if (message.gather == nullptr) [[likely]]
    return PlaceFragments(channel, lane, message);
  return PlaceFragments(channel, lane, am::Gathered(message).message());
}

bool DatagramSender::PlaceFragments(Channel& channel, am::Lane lane,
                                    const am::Message& message) {
  ChannelLane& to = channel.lane(lane);
  const size_t datagram = channel.path.Bytes();
  const size_t each = FragmentLength(message, datagram);
  const size_t count = (message.nbytes + each - 1) / each;
  const size_t head =
      am::FragmentPayloadAt(kHeaderBytes, message.category, message.num_args);
  const size_t buffer = IsLent(message) ? head : head + each;
  if (to.send.unsent() >= kMaxUnsent ||
      !driver_.pool().Has(count, buffer, lane)) {
    return false;
  }
  const uint32_t number = ++to.numbers;
  for (size_t offset = 0; offset < message.nbytes; offset += each) {
    Packet* const packet = driver_.pool().Acquire(buffer, lane);
    Fill(*packet, message,
         {.number = number,
          .offset = static_cast<uint32_t>(offset),
          .length =
              static_cast<uint32_t>(std::min(each, message.nbytes - offset))});
    to.send.Append(packet, false);
    // The receiver then processes this fragment while the next one is made.
    if (datagram >= kLargeDatagram) driver_.Transmit(channel, lane, false);
  }
  return true;
}

}  // namespace gasnet::datagram
