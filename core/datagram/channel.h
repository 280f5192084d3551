// The channel of one peer: in each lane the packets in flight and the packets
// that have arrived; the round-trip estimate; the acknowledgements owed. Made
// with the first message, in either direction. Under the lock of the channels.
#ifndef CORE_DATAGRAM_CHANNEL_H_
#define CORE_DATAGRAM_CHANNEL_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/datagram/path_size.h"
#include "core/datagram/receive_window.h"
#include "core/datagram/round_trip.h"
#include "core/datagram/send_window.h"
#include "core/lane.h"
#include "core/rank.h"

namespace gasnet::datagram {

// Something that the layer above has begun to receive, as the channel sees it.
struct Begun {
  Begun* next = nullptr;
};

struct ChannelLane {
  SendWindow send;
  ReceiveWindow receive;
  // Of the layer above, which so needs no table of peers of its own; the
  // channel looks at neither.
  Begun* begun = nullptr;  // from this peer, newest first
  uint32_t numbers = 0;    // that it has given to what it sends
};

struct Channel {
  Channel(Rank rank, const PathSizes& sizes) : path(sizes), peer(rank) {}

  ChannelLane& lane(Lane which) { return lanes[static_cast<size_t>(which)]; }
  // Acknowledgements can wait for the next poll: nothing needs room in a
  // window, and little is in flight.
  bool CanAcksWait() const {
    return lanes[0].send.CanAcksWait() && lanes[1].send.CanAcksWait();
  }
  // Nothing to look after: no timer, no acknowledgement owed.
  bool IsIdle() const {
    return owed_packets == 0 && lanes[0].send.Empty() && lanes[1].send.Empty();
  }

  std::array<ChannelLane, kLanes> lanes;
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
  // It is of large packets that came while as much was in flight to the peer.
  bool crosses = false;
  bool active = false;  // in the table's list
  Channel* next_active = nullptr;
};

// There may be two for each pair of ranks of a job.
static_assert(sizeof(Channel) <= 464);

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_CHANNEL_H_
