// Constants that tune the connections to hosts and the traffic between them and
// the launcher. The tests of many hosts in tools/gasnetrun/testing show them.
#ifndef TOOLS_GASNETRUN_REMOTE_TUNING_H_
#define TOOLS_GASNETRUN_REMOTE_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace gasnet::gasnetrun {

// Connections to hosts that begin at a time: enough to hide the latency of the
// network and to use all processors here. Reasoned, not measured.
inline constexpr size_t kStartsAtOnce = 64;
// The number of hosts that are reached through one, unless
// GASNET_SSH_OUT_DEGREE is set: as many as connect at a time anyway, so that a
// smaller job needs no keys on other hosts. Reasoned, not measured.
inline constexpr uint32_t kDefaultOutDegree = kStartsAtOnce;
// The time to wait for a connection if there is another way. Reasoned, not
// measured.
inline constexpr int64_t kLongestConnectNanos = 10 * kNanosPerSecond;
// The time for which a host, and the launcher, may be silent, unless
// GASNET_HOST_TIMEOUT is set. A host that swaps, or a network that changes its
// route, comes back sooner. Reasoned, not measured.
inline constexpr int64_t kDefaultSilenceNanos = 60 * kNanosPerSecond;
// The time that the launcher waits, before it stops with its job (Ctrl-Z),
// until its note to a host is sent. Reasoned, not measured.
inline constexpr int64_t kPauseNanos = kNanosPerSecond;
// The time that ssh has to end, or to report why, after its stream has ended.
// Reasoned, not measured.
inline constexpr int64_t kSshNanos = 3 * kNanosPerSecond;
// The bytes of one read of ssh's standard error, and the lines that are kept
// for the message of its failure: a long greeting and the error behind it.
// Reasoned, not measured.
inline constexpr size_t kSshReadBytes = 4096;
inline constexpr size_t kSshLinesKept = 20;
// The bytes of one read of a program for its fingerprint: the reads cost little
// beside the hash. Reasoned, not measured.
inline constexpr size_t kFingerprintPieceBytes = 1 << 20;

// The most output of a host's ranks that is on the way to the launcher, in
// bytes of its frames. At every host on the way, other notes may wait behind
// that much. Reasoned, not measured.
inline constexpr uint32_t kOutputWindow = 64 << 10;
// The most bytes that one end of a relay may send before the other end has
// passed them on. That is also the memory that it may cost at each end. Each
// host reached through a relay gets as much as the output of the host on the
// way, so that they share the stream evenly, however long the way is. Beyond
// some hosts the relay's share is large enough anyway. Reasoned, not measured.
inline constexpr uint32_t kRelayWindow = kOutputWindow;
inline constexpr uint32_t kMaxRelayWindow = 16 * kRelayWindow;
// Credit of a window is given back in such pieces: worth a note, and small
// beside any window, so that the sender has its credit long before it has no
// room. Reasoned, not measured.
inline constexpr uint32_t kWindowPiece = 16 << 10;
// The bytes in one frame of a relay: a note costs little beside them, and other
// traffic gets its turn soon. Reasoned, not measured.
inline constexpr size_t kRelayPieceBytes = 16 << 10;

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_TUNING_H_
