// The channel of one peer. It has, for each lane, the packets in flight and the
// packets that have arrived. It also has the round-trip estimate and the
// acknowledgements owed. The first message in either direction creates it. Used
// under the lock of the channels.
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

namespace gasnet::am {
struct Assembly;
}

namespace gasnet::datagram {

struct ChannelLane {
  SendWindow send;
  ReceiveWindow receive;
  // State of the layer above. It is kept here so that the layer above needs no
  // table of peers. The channel does not use it.
  // unfinished messages from this peer, newest first
  am::Assembly* begun = nullptr;
  uint32_t numbers = 0;  // message numbers given so far
};

struct Channel {
  Channel(Rank rank, const PathSizes& sizes) : path(sizes), peer(rank) {}

  ChannelLane& lane(Lane which) { return lanes[static_cast<size_t>(which)]; }
  // Returns true if acknowledgements from the peer can wait for the next poll:
  // nothing needs room in a window, and little is in flight.
  bool CanAcksWait() const {
    return lanes[0].send.CanAcksWait() && lanes[1].send.CanAcksWait();
  }
  // Returns true if the channel needs no attention: no timer runs and no
  // acknowledgement is owed.
  bool IsIdle() const {
    return owed_packets == 0 && lanes[0].send.Empty() && lanes[1].send.Empty();
  }

  std::array<ChannelLane, kLanes> lanes;
  RoundTrip round_trip;
  PathSize path;
  uint64_t peer_window = 0;  // bytes that the peer allows in flight in a lane
  uint64_t newest_counter = 0;  // newest counter of any packet of the peer
  int64_t ack_due = 0;
  // The time of the first timeout since the peer last sent anything, or 0 if
  // there was no timeout.
  int64_t silent_since = 0;
  uint32_t owed_packets = 0;  // packets since the last acknowledgement
  const Rank peer;
  uint32_t epoch = 0;   // kShareEpoch period in which the peer last sent
  bool urgent = false;  // the owed acknowledgement must not be delayed
  // The owed acknowledgement crosses one of the peer's (acknowledger.h). It is
  // for a large packet that arrived while this rank waited for acknowledgements
  // of much data.
  bool crosses = false;
  bool active = false;  // the channel is in the ChannelTable's list
  Channel* next_active = nullptr;
};

// Small, because a job may have two channels for each pair of ranks.
static_assert(sizeof(Channel) <= 464);

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_CHANNEL_H_
