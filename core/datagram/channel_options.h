// The options of the channels of an endpoint. The numbers that tune them stand
// here together.
#ifndef CORE_DATAGRAM_CHANNEL_OPTIONS_H_
#define CORE_DATAGRAM_CHANNEL_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/rank.h"

namespace gasnet::datagram {

// Nanoseconds.
struct Timing {
  // Below, a peer that lost its processor for a moment would look like a loss.
  int64_t min_timeout = 1'000'000;
  int64_t initial_timeout = 10'000'000;
  int64_t max_timeout = 250'000'000;
  int64_t backoff = 2;  // factor, for each expiry in a row
  // The oldest packet is sent again, to ask, when so much more than two round
  // trips have brought nothing: time for an acknowledgement that waits
  // (ack_delay) and for the peer's thread to come back from something small.
  int64_t probe_delay = 100'000;
  // A peer that sends nothing for longer while packets to it time out is too
  // silent (ChannelOptions::on_silent); 0: it may be silent for ever.
  int64_t silence_limit = 0;
  // A peer that sends nothing for so long while packets to it time out is told
  // of (ChannelOptions::on_silence); 0: never.
  int64_t silence_notice = 0;
  // An acknowledgement waits so long for a packet to ride on.
  int64_t ack_delay = 50'000;
  // A message waits at most so long for others to share its packet.
  int64_t hold = 20'000;
  // A port that took nothing is asked again after this.
  int64_t port_retry = 50'000;
};

struct ChannelOptions {
  Rank me = 0;
  uint32_t ranks = 1;
  Timing timing = {};
  // Most packets in flight in one lane to one peer; at most kWindow.
  unsigned depth = 256;
  // Packets in flight and waiting, to all peers. A part of it is for replies.
  // Raised to what two of the largest messages need.
  size_t pool_bytes = size_t{16} << 20;
  // Packets that come in pieces, for each lane. Raised to four of the largest.
  size_t piece_bytes = size_t{512} << 10;
  // The capacity of this rank's socket; its peers share it.
  size_t receive_window_bytes = size_t{4} << 20;
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
  // the first such peer; under the endpoint's lock. Empty: nobody is told.
  std::function<void(Rank peer, size_t bytes)> on_narrow = {};
  // Encrypt the contents of packets, not only authenticate them.
  bool encrypt = false;
};

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_CHANNEL_OPTIONS_H_
