// What there is of one peer: in each lane what is in flight and what has
// arrived; the round-trip estimate; the acknowledgements owed. Made with the
// first message, in either direction. Under the lock of the endpoint.
#ifndef CORE_DATAGRAM_CHANNEL_H_
#define CORE_DATAGRAM_CHANNEL_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/am/message.h"
#include "core/datagram/assembly.h"
#include "core/datagram/path_size.h"
#include "core/datagram/receive_window.h"
#include "core/datagram/round_trip.h"
#include "core/datagram/send_window.h"

namespace gasnet::datagram {

struct ChannelLane {
  SendWindow send;
  ReceiveWindow receive;
  Assembly* assemblies = nullptr;  // of this peer's messages, newest first
  uint32_t messages = 0;           // of several packets that were sent
};

struct Channel {
  Channel(Rank rank, const PathSizes& sizes) : path(sizes), peer(rank) {}

  ChannelLane& lane(am::Lane which) {
    return lanes[static_cast<size_t>(which)];
  }
  // What an acknowledgement brings can wait for the next poll: nothing needs
  // room in a window, and little is in flight.
  bool CanAcksWait() const {
    return lanes[0].send.CanAcksWait() && lanes[1].send.CanAcksWait();
  }
  // Nothing to look after: no timer, no acknowledgement owed.
  bool IsIdle() const {
    return owed_packets == 0 && lanes[0].send.Empty() && lanes[1].send.Empty();
  }

  std::array<ChannelLane, am::kLanes> lanes;
  RoundTrip round_trip;
  PathSize path;
  uint64_t peer_window = 0;  // bytes in flight that the peer allows in a lane
  uint64_t newest_counter = 0;  // of the packets that it has sent
  int64_t ack_due = 0;
  // Of the first time-out since the peer sent anything; 0: none.
  int64_t silent_since = 0;
  uint32_t owed_packets = 0;  // that arrived since the last acknowledgement
  const Rank peer;
  uint32_t epoch = 0;   // when it last sent something; see ChannelTable
  bool urgent = false;  // its acknowledgement must not wait for a packet
  bool active = false;  // in the table's list
  Channel* next_active = nullptr;
};

// There may be two for each pair of ranks of a job.
static_assert(sizeof(Channel) <= 464);

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_CHANNEL_H_
