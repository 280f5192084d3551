// Puts records into packets. A record goes behind the records of the lane's
// open packet, or into a new packet. Receipts travel in any packet that gets a
// record of another kind, if there is room. The transport's lock guards
// everything.
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

// Room for a record, from Reserve. Call Send or Drop for this place before the
// next Reserve.
struct ReservedRecord {
  datagram::Packet* packet = nullptr;  // null: there is no room now
  uint32_t begin = 0;                  // The offset in the packet.
  bool is_new = false;

  explicit operator bool() const { return packet != nullptr; }
  std::byte* at() const { return packet->bytes + begin; }
};

class Outbox {
 public:
  // The maximum number of packets of a lane that may wait for their window
  // while the lane still accepts records that can wait. Words and short answers
  // need room too, so this is half of all packets. Reasoned, not measured.
  static constexpr unsigned kMaxWaiting = datagram::kMaxUnsent / 2;

  Outbox(datagram::ChannelDriver& driver, uint32_t ranks)
      : driver_(driver), receipts_(ranks) {}

  // Returns the largest size of a record to a rank, in bytes. The size is a
  // multiple of 8.
  size_t Room(Rank rank);
  // Reserves room for a record of `size` bytes. Returns an empty place if
  // `most` or more packets of the lane wait.
  ReservedRecord Reserve(Rank rank, Lane lane, size_t size, unsigned most);
  // Sends the record in `place`. `size` is the part of the place that is used.
  void Send(Rank rank, Lane lane, const ReservedRecord& place, size_t size);
  void Drop(const ReservedRecord& place);

  // Notes that this process owes a rank the receipt of an operation. If this
  // makes kMaxReceipts receipts for the rank, sends all of them.
  void OweReceipt(Rank rank, uint64_t number);
  // Sends the receipts that have not yet left in other packets, if there is
  // room.
  void SendReceipts();
  // Forgets the receipts owed to a rank that no longer accepts receipts.
  void ForgetReceipts(Rank rank);
  // Returns true if kMaxReceipts receipts wait for this rank because there was
  // no room to send them.
  bool OwesMost(Rank rank) const {
    return receipts_.CountOf(rank) >= kMaxReceipts;
  }
  // Returns the time at which SendReceipts must be called. Any thread may call
  // this.
  int64_t receipts_due() const { return receipts_.due(); }

 private:
  // Returns the largest size that a packet may have.
  static size_t LimitOf(const datagram::Channel& channel,
                        const datagram::Packet& packet);
  void AddReceipts(const datagram::Channel& channel, datagram::Packet& packet);
  void SendReceipts(Rank rank);

  datagram::ChannelDriver& driver_;
  Receipts receipts_;
};

}  // namespace gasnet::portals4

#endif  // PORTALS_DATAGRAM_OUTBOX_H_
