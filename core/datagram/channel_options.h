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

// Nanoseconds.
struct Timing {
  int64_t min_timeout = kMinTimeout;
  int64_t initial_timeout = kInitialTimeout;
  int64_t max_timeout = kMaxTimeout;
  int64_t backoff = kBackoff;  // factor, for each expiry in a row
  // The oldest packet is sent again, to ask, when so much more than two round
  // trips have brought nothing.
  int64_t probe_delay = kProbeDelay;
  // A peer that sends nothing for longer while packets to it time out is too
  // silent (ChannelOptions::on_silent); 0: it may be silent for ever.
  int64_t silence_limit = 0;
  // A peer that sends nothing for so long while packets to it time out is
  // reported (ChannelOptions::on_silence); 0: never.
  int64_t silence_notice = 0;
  // An acknowledgement waits so long for a packet to ride on.
  int64_t ack_delay = kAckDelay;
  // A message waits at most so long for others to share its packet.
  int64_t hold = kHold;
  // A port that took nothing is asked again after this.
  int64_t port_retry = kPortRetry;
};

struct ChannelOptions {
  Rank me = 0;
  uint32_t ranks = 1;
  Timing timing = {};
  // Most packets in flight in one lane to one peer; at most kWindow.
  unsigned depth = kWindow;
  // Packets in flight and waiting, to all peers. A part of it is for replies.
  // Raised to what two of the largest messages need.
  size_t pool_bytes = kPoolBytes;
  // Packets that come in pieces, for each lane. Raised to four of the largest.
  size_t piece_bytes = kPieceBytes;
  // The capacity of this rank's socket; its peers share it.
  size_t receive_window_bytes = kReceiveWindowBytes;
  // Once for the first such peer that was never heard, and once for the first
  // that was (heard); under the endpoint's lock. Needed where
  // Timing::silence_notice is set.
  std::function<void(Rank peer, int64_t silence, bool heard)> on_silence = {};
  // Is to end the job; under the endpoint's lock. Needed where
  // Timing::silence_limit is set.
  std::function<void(Rank peer, int64_t silence)> on_silent = {};
  // Whether a peer runs no handler any more, so that what is sent to it need
  // not arrive. Asked when packets to it time out, under the endpoint's lock.
  // Empty: none ever does.
  std::function<bool(Rank peer)> has_left = {};
  // Datagrams of so many bytes pass everywhere; 0: those of the port's largest
  // do. The same for all ranks.
  size_t sure_datagram = 0;
  // Datagrams of `bytes` bytes do not reach a peer, or do not any more, smaller
  // ones do. Once, for
  // the first such peer; under the endpoint's lock. Empty: it is not reported.
  std::function<void(Rank peer, size_t bytes)> on_narrow = {};
  // Encrypt the contents of packets, not only authenticate them.
  bool encrypt = false;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_CHANNEL_OPTIONS_H_
