// The options of the channels of an endpoint. tuning.h has their defaults.
#ifndef CORE_DATAGRAM_CHANNEL_OPTIONS_H_
#define CORE_DATAGRAM_CHANNEL_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/datagram/packet.h"
#include "core/datagram/tuning.h"
#include "core/rank.h"

namespace gasnet::datagram {

// Times in nanoseconds.
struct Timing {
  int64_t min_timeout = kMinTimeout;
  int64_t initial_timeout = kInitialTimeout;
  int64_t max_timeout = kMaxTimeout;
  int64_t backoff = kBackoff;  // factor for each expiry in a row
  // The oldest packet is repeated as a probe if nothing arrives for two round
  // trips plus this.
  int64_t probe_delay = kProbeDelay;
  // The silence after which on_silent is called: the peer sends nothing while
  // packets to it time out. 0: no limit.
  int64_t silence_limit = 0;
  // The silence after which on_silence is called: the peer sends nothing while
  // packets to it time out. 0: never.
  int64_t silence_notice = 0;
  // The longest time that an acknowledgement waits for a packet to carry it.
  int64_t ack_delay = kAckDelay;
  // The longest time that a message waits for others to share its packet.
  int64_t hold = kHold;
  // The time after which a port that accepted nothing is retried.
  int64_t port_retry = kPortRetry;
};

struct ChannelOptions {
  Rank me = 0;
  uint32_t ranks = 1;
  Timing timing = {};
  // The maximum number of packets in flight in one lane to one peer; at most
  // kWindow.
  unsigned depth = kWindow;
  // Memory for packets in flight and waiting, to all peers. A part of it is
  // reserved for replies. Raised to the need of two of the largest messages.
  size_t pool_bytes = kPoolBytes;
  // Memory for packets that arrive in pieces, for each lane. Raised to four of
  // the largest.
  size_t piece_bytes = kPieceBytes;
  // The capacity of this rank's socket, which its peers share.
  size_t receive_window_bytes = kReceiveWindowBytes;
  // Called under the endpoint's lock, once for the first silent peer that was
  // never heard, and once for the first that was (`heard`). Required if
  // Timing::silence_notice is set.
  std::function<void(Rank peer, int64_t silence, bool heard)> on_silence = {};
  // Ends the job. Called under the endpoint's lock. Required if
  // Timing::silence_limit is set.
  std::function<void(Rank peer, int64_t silence)> on_silent = {};
  // Returns true if a peer runs no more handlers, so that messages to it need
  // not arrive. Called when packets to it time out, under the endpoint's lock.
  // If empty, no peer ever leaves.
  std::function<bool(Rank peer)> has_left = {};
  // Bytes of a datagram that every path carries; 0 if that is the port's
  // largest. The same on all ranks.
  size_t sure_datagram = 0;
  // Reports that datagrams of `bytes` bytes do not reach a peer, or no longer
  // do, while smaller ones do. Called once, for the first such peer, under the
  // endpoint's lock. If empty, nothing is reported.
  std::function<void(Rank peer, size_t bytes)> on_narrow = {};
  // Encrypts the contents of packets, in addition to authentication.
  bool encrypt = false;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_CHANNEL_OPTIONS_H_
