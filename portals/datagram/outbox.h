// Records on their way into packets: each is put behind those of the lane's
// open packet, or begins a packet. Under the transport's lock.
#ifndef PORTALS_DATAGRAM_OUTBOX_H_
#define PORTALS_DATAGRAM_OUTBOX_H_

#include <cstddef>
#include <cstdint>

#include "core/datagram/channel_driver.h"
#include "core/datagram/socket_port.h"
#include "core/lane.h"
#include "core/rank.h"

namespace gasnet::portals4 {

using Driver = datagram::ChannelDriver<datagram::SocketPort>;

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
  static constexpr unsigned kMostWaiting = Driver::kMostUnsent / 2;

  explicit Outbox(Driver& driver) : driver_(driver) {}

  // The largest record to a rank; a multiple of 8.
  size_t Room(Rank rank);
  // Room for a record of `size` bytes, where fewer packets wait than `most`.
  Place Reserve(Rank rank, Lane lane, size_t size, unsigned most);
  // `size`: what is used of it.
  void Send(Rank rank, Lane lane, const Place& place, size_t size);
  void Drop(const Place& place);

 private:
  Driver& driver_;
};

}  // namespace gasnet::portals4

#endif  // PORTALS_DATAGRAM_OUTBOX_H_
