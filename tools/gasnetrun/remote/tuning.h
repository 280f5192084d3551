// Constants that tune the connections to hosts and the traffic between hosts
// and the launcher. The tests of many hosts in tools/gasnetrun/testing exercise
// them. All are reasoned, not measured.
#ifndef TOOLS_GASNETRUN_REMOTE_TUNING_H_
#define TOOLS_GASNETRUN_REMOTE_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace gasnet::gasnetrun {

// The number of connections that begin at a time: enough to hide the latency of
// the network and to use all processors here.
inline constexpr size_t kStartsAtOnce = 64;
// The number of hosts that are reached through one, unless
// GASNET_SSH_OUT_DEGREE is set. It equals the connections that begin at a time,
// so that a smaller job needs no keys on other hosts.
inline constexpr uint32_t kDefaultOutDegree = kStartsAtOnce;
// The time to wait for a connection if there is another way.
inline constexpr int64_t kLongestConnectNanos = 10 * kNanosPerSecond;
// The time for which a host, and the launcher, may be silent, unless
// GASNET_HOST_TIMEOUT is set. A host that swaps, or a network that changes its
// route, responds sooner.
inline constexpr int64_t kDefaultSilenceNanos = 60 * kNanosPerSecond;
// The time that the launcher waits for its note to a host to be sent, before it
// stops with its job (Ctrl-Z).
inline constexpr int64_t kPauseNanos = kNanosPerSecond;
// The time that ssh has to end, or to report the reason, after its stream has
// ended.
inline constexpr int64_t kSshNanos = 3 * kNanosPerSecond;
// The bytes of one read of ssh's standard error, and the lines that are kept
// for the message of its failure: a long greeting and the error behind it.
inline constexpr size_t kSshReadBytes = 4096;
inline constexpr size_t kSshLinesKept = 20;
// The bytes of one read of a program for its fingerprint. The reads cost little
// beside the hash.
inline constexpr size_t kFingerprintPieceBytes = 1 << 20;

// The largest amount of a host's output in flight to the launcher, in bytes of
// its frames. At every host on the way, other notes may wait behind that much.
inline constexpr uint32_t kOutputWindow = 64 << 10;
// The largest number of bytes that one end of a relay may send before the other
// end has passed them on. It also bounds the memory at each end. Each host
// reached through a relay gets as much as the output of the relaying host, so
// that they share the stream evenly, however long the way is. Above some number
// of hosts, the relay's share is large enough.
inline constexpr uint32_t kRelayWindow = kOutputWindow;
inline constexpr uint32_t kMaxRelayWindow = 16 * kRelayWindow;
// The amount in which credit of a window is returned. It is worth a note, and
// small compared with any window, so that the credit arrives long before the
// sender runs out of it.
inline constexpr uint32_t kWindowPiece = 16 << 10;
// The bytes in one frame of a relay. A note costs little beside them, and other
// traffic is not delayed for long.
inline constexpr size_t kRelayPieceBytes = 16 << 10;

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_TUNING_H_
