// Records on their way into packets: each is put behind those of the lane's
// open packet, or begins a packet. Receipts ride in whatever packet a record of
// another kind is put into, if it has room. Under the transport's lock.
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

// Memory for a record. Send or Drop ends it, before anything else is reserved.
struct Place {
  datagram::Packet* packet = nullptr;  // null: there is no room now
  uint32_t begin = 0;                  // in the packet
  bool is_new = false;

  explicit operator bool() const { return packet != nullptr; }
  std::byte* at() const { return packet->bytes + begin; }
};

class Outbox {
 public:
  // Packets of a lane that wait for their window, of what may wait itself: half
  // of them all, since words and short answers need room too. Reasoned, not
  // measured.
  static constexpr unsigned kMostWaiting = datagram::kMostUnsent / 2;

  Outbox(datagram::ChannelDriver& driver, uint32_t ranks)
      : driver_(driver), receipts_(ranks) {}

  // The largest record to a rank; a multiple of 8.
  size_t Room(Rank rank);
  // Room for a record of `size` bytes, where fewer packets wait than `most`.
  Place Reserve(Rank rank, Lane lane, size_t size, unsigned most);
  // `size`: what is used of it.
  void Send(Rank rank, Lane lane, const Place& place, size_t size);
  void Drop(const Place& place);

  // Owes a rank the receipt of an operation. The last one that may wait takes
  // all with it.
  void OweReceipt(Rank rank, uint64_t number);
  // Sends the receipts that no record has taken along, if there is room.
  void SendReceipts();
  // The rank takes none any more.
  void ForgetReceipts(Rank rank);
  // As many wait as may: there is no room for them now.
  bool OwesMost(Rank rank) const {
    return receipts_.CountOf(rank) >= kMostReceipts;
  }
  // When SendReceipts is to be called. Any thread.
  int64_t receipts_due() const { return receipts_.due(); }

 private:
  // The length that a packet may have.
  static size_t LimitOf(const datagram::Channel& channel,
                        const datagram::Packet& packet);
  void AddReceipts(const datagram::Channel& channel, datagram::Packet& packet);
  void SendReceipts(Rank rank);

  datagram::ChannelDriver& driver_;
  Receipts receipts_;
};

}  // namespace gasnet::portals4

#endif  // PORTALS_DATAGRAM_OUTBOX_H_
