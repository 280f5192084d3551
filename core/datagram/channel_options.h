// The options of the channels of an endpoint. Their defaults are in tuning.h.
#ifndef CORE_DATAGRAM_CHANNEL_OPTIONS_H_
#define CORE_DATAGRAM_CHANNEL_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/datagram/packet.h"
#include "core/datagram/tuning.h"
#include "core/rank.h"

namespace gasnet::datagram {

// The times of timers, in nanoseconds.
struct Timing {
  int64_t min_timeout = kMinTimeout;
  int64_t initial_timeout = kInitialTimeout;
  int64_t max_timeout = kMaxTimeout;
  // the factor by which each further timeout in a row is longer
  int64_t backoff = kBackoff;
  // If nothing arrives for two round trips plus this time, the oldest packet is
  // repeated as a probe.
  int64_t probe_delay = kProbeDelay;
  // The duration of silence after which on_silent is called. A peer is silent
  // if it sends nothing while packets to it time out. 0: there is no limit.
  int64_t silence_limit = 0;
  // The longest time that an acknowledgement waits for a packet to carry it.
  int64_t ack_delay = kAckDelay;
  // The longest time that a message waits for others to share its packet.
  int64_t hold = kHold;
  // The time after which the port is tried again if it accepted nothing.
  int64_t port_retry = kPortRetry;
};

struct ChannelOptions {
  Rank me = 0;
  uint32_t ranks = 1;
  Timing timing = {};
  // The maximum number of packets in flight in one lane to one peer; at most
  // kWindow.
  unsigned depth = kWindow;
  // The size of the memory for packets to all peers, in flight or waiting. Part
  // of the memory is reserved for replies. The size is raised if two of the
  // largest messages need more.
  size_t pool_bytes = kPoolBytes;
  // The size of the memory for packets that arrive in pieces, for each lane.
  // The size is raised if four of the largest packets need more.
  size_t piece_bytes = kPieceBytes;
  // The capacity of the receive buffer of this rank's socket. All peers that
  // send to this rank share it.
  size_t receive_window_bytes = kReceiveWindowBytes;
  // Ends the job because of a silent peer. Called under the endpoint's lock.
  // Required if Timing::silence_limit is set.
  std::function<void(Rank peer, int64_t silence)> on_silent = {};
  // Returns true if a peer runs no more handlers, so that messages to it need
  // not arrive. Called when packets to the peer time out, under the endpoint's
  // lock. If the function is empty, no peer counts as gone.
  std::function<bool(Rank peer)> has_left = {};
  // The size of a datagram that every path carries. 0 means the port's largest
  // size. The value is the same on all ranks.
  size_t sure_datagram = 0;
  // Reports that datagrams of `bytes` bytes do not reach a peer, or no longer
  // do, while smaller ones do. Called once, for the first peer with this
  // problem, under the endpoint's lock. If the function is empty, nothing is
  // reported.
  std::function<void(Rank peer, size_t bytes)> on_narrow = {};
  // Encrypts the contents of packets, in addition to authentication.
  bool encrypt = false;
  // The number of this endpoint among those of its rank that share the job's
  // key. It only exchanges packets with endpoints of the same number. Each
  // counts its packets in a range of its own, so no nonce is used twice.
  uint8_t rail = 0;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_CHANNEL_OPTIONS_H_
