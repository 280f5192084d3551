#include "portals/datagram/outbox.h"

#include <algorithm>
#include <cstring>

#include "base/round_up.h"
#include "portals/datagram/record.h"

namespace gasnet::portals4 {

using datagram::Channel;
using datagram::kHeaderBytes;
using datagram::Packet;
using datagram::SendWindow;

size_t Outbox::Room(Rank rank) {
  return (driver_.channels().To(rank).path.Bytes() - kHeaderBytes) / 8 * 8;
}

Place Outbox::Reserve(Rank rank, Lane lane, size_t size, unsigned most) {
  Channel& channel = driver_.channels().To(rank);
  const SendWindow& window = channel.lane(lane).send;
  size = RoundUp(size, kRecordUnit);
  if (Packet* const open = window.open();
      open != nullptr &&
      open->length + size <=
          std::min<size_t>(open->capacity, channel.path.Bytes())) {
    return {open, open->length, false};
  }
  if (window.unsent() >= most) return {};
  Packet* const packet = driver_.pool().Acquire(kHeaderBytes + size, lane);
  if (packet == nullptr) return {};
  return {packet, kHeaderBytes, true};
}

void Outbox::Send(Rank rank, Lane lane, const Place& place, size_t size) {
  std::memset(place.at() + size, 0, RoundUp(size, kRecordUnit) - size);
  place.packet->length =
      static_cast<uint32_t>(place.begin + RoundUp(size, kRecordUnit));
  Channel& channel = driver_.channels().To(rank);
  if (place.is_new) channel.lane(lane).send.Append(place.packet, true);
  ++driver_.statistics().messages_sent;
  driver_.Dispatch(channel, lane);
}

void Outbox::Drop(const Place& place) {
  if (place.is_new) driver_.pool().Release(place.packet);
}

}  // namespace gasnet::portals4
