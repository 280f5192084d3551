// Puts records into packets: each behind those of the lane's open packet, or
// into a new one. Receipts ride in any packet that gets a record of another
// kind, if there is room. The transport's lock guards everything.
#ifndef PORTALS_DATAGRAM_OUTBOX_H_
#define PORTALS_DATAGRAM_OUTBOX_H_

#include <cstddef>
#include <cstdint>

#include "core/datagram/channel_driver.h"
#include "core/datagram/tuning.h"
#include "core/lane.h"
#include "core/rank.h"
#include "portals/datagram/receipts.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {

// Memory for a record. Send or Drop must end it before anything else is
// reserved.
struct Place {
  datagram::Packet* packet = nullptr;  // null: there is no room now
  uint32_t begin = 0;                  // in the packet
  bool is_new = false;

  explicit operator bool() const { return packet != nullptr; }
  std::byte* at() const { return packet->bytes + begin; }
};

class Outbox {
 public:
  // The most packets of a lane that wait for their window, for records that can
  // wait. It is half of all packets, since words and short answers need room
  // too. Reasoned, not measured.
  static constexpr unsigned kMaxWaiting = datagram::kMaxUnsent / 2;

  Outbox(datagram::ChannelDriver& driver, uint32_t ranks)
      : driver_(driver), receipts_(ranks) {}

  // Returns the size of the largest record to a rank; a multiple of 8.
  size_t Room(Rank rank);
  // Reserves room for a record of `size` bytes, if fewer than `most` packets
  // wait.
  Place Reserve(Rank rank, Lane lane, size_t size, unsigned most);
  // Sends a record. `size` is the used part of the place.
  void Send(Rank rank, Lane lane, const Place& place, size_t size);
  void Drop(const Place& place);

  // Notes that this process owes a rank the receipt of an operation. If that
  // makes kMaxReceipts, sends them all.
  void OweReceipt(Rank rank, uint64_t number);
  // Sends the receipts that have found no packet to ride in, if there is room.
  void SendReceipts();
  // Forgets the receipts of a rank that takes none any more.
  void ForgetReceipts(Rank rank);
  // Returns true if the rank is owed the most receipts that may wait, since
  // there was no room to send them.
  bool OwesMost(Rank rank) const {
    return receipts_.CountOf(rank) >= kMaxReceipts;
  }
  // Returns the time at which SendReceipts must be called. Any thread.
  int64_t receipts_due() const { return receipts_.due(); }

 private:
  // Returns the largest size of a packet.
  static size_t LimitOf(const datagram::Channel& channel,
                        const datagram::Packet& packet);
  void AddReceipts(const datagram::Channel& channel, datagram::Packet& packet);
  void SendReceipts(Rank rank);

  datagram::ChannelDriver& driver_;
  Receipts receipts_;
};

}  // namespace gasnet::portals4

#endif  // PORTALS_DATAGRAM_OUTBOX_H_
