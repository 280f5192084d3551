#include "portals/datagram/outbox.h"

#include <algorithm>
#include <cstring>

#include "base/clock.h"
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

size_t Outbox::LimitOf(const Channel& channel, const Packet& packet) {
  return std::min<size_t>(packet.capacity, channel.path.Bytes());
}

ReservedRecord Outbox::Reserve(Rank rank, Lane lane, size_t size,
                               unsigned most) {
  Channel& channel = driver_.channels().To(rank);
  const SendWindow& window = channel.lane(lane).send;
  size = RoundUp(size, kRecordUnit);
  if (Packet* const open = window.open();
      open != nullptr && open->length + size <= LimitOf(channel, *open)) {
    return {open, open->length, false};
  }
  if (window.unsent() >= most) return {};
  Packet* const packet = driver_.pool().Acquire(kHeaderBytes + size, lane);
  if (packet == nullptr) return {};
  return {packet, kHeaderBytes, true};
}

void Outbox::Send(Rank rank, Lane lane, const ReservedRecord& place,
                  size_t size) {
  std::memset(place.at() + size, 0, RoundUp(size, kRecordUnit) - size);
  place.packet->length =
      static_cast<uint32_t>(place.begin + RoundUp(size, kRecordUnit));
  Channel& channel = driver_.channels().To(rank);
  if (receipts_.CountOf(rank) > 0) AddReceipts(channel, *place.packet);
  if (place.is_new) channel.lane(lane).send.Append(place.packet, true);
  ++driver_.statistics().messages_sent;
  driver_.Dispatch(channel, lane);
}

void Outbox::Drop(const ReservedRecord& place) {
  if (place.is_new) driver_.pool().Release(place.packet);
}

void Outbox::AddReceipts(const Channel& channel, Packet& packet) {
  const size_t limit = LimitOf(channel, packet);
  if (packet.length + ReceiptBytes(1) > limit) return;
  const size_t room =
      (limit - packet.length - ReceiptBytes(0)) / sizeof(uint64_t);
  const std::span<const uint64_t> numbers =
      receipts_.Oldest(channel.peer, std::min(room, kMaxReceipts));
  EncodeReceipt(numbers, packet.bytes + packet.length);
  packet.length += static_cast<uint32_t>(ReceiptBytes(numbers.size()));
  receipts_.Remove(channel.peer, numbers.size());
}

void Outbox::OweReceipt(Rank rank, uint64_t number) {
  receipts_.Owe(rank, number, driver_.now());
  if (OwesMost(rank)) SendReceipts(rank);
}

void Outbox::SendReceipts(Rank rank) {
  while (receipts_.CountOf(rank) > 0) {
    const std::span<const uint64_t> numbers =
        receipts_.Oldest(rank, kMaxReceipts);
    const size_t size = ReceiptBytes(numbers.size());
    const ReservedRecord place =
        Reserve(rank, Lane::kReply, size, datagram::kMaxUnsent);
    if (!place) return;
    EncodeReceipt(numbers, place.at());
    receipts_.Remove(rank, numbers.size());
    Send(rank, Lane::kReply, place, size);
  }
}

void Outbox::SendReceipts() {
  receipts_.ForOwed([this](Rank rank) { SendReceipts(rank); });
  if (receipts_.due() != kNever) receipts_.PutOff(driver_.now());
}

void Outbox::ForgetReceipts(Rank rank) {
  receipts_.Remove(rank, receipts_.CountOf(rank));
}

}  // namespace gasnet::portals4
