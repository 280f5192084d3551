// Constants that tune how hosts are reached and what travels between them and
// the launcher. The tests of many hosts in tools/gasnetrun/testing show them.
#ifndef TOOLS_GASNETRUN_REMOTE_TUNING_H_
#define TOOLS_GASNETRUN_REMOTE_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace gasnet::gasnetrun {

// Hosts that are connected to at a time: enough to hide the latency of the
// network and to use all processors here. Reasoned, not measured.
inline constexpr size_t kStartsAtOnce = 64;
// Hosts that are reached from one, unless GASNET_SSH_OUT_DEGREE says otherwise:
// as many as connect at a time anyway, so that fewer need no keys on other
// hosts. Reasoned, not measured.
inline constexpr uint32_t kDefaultOutDegree = kStartsAtOnce;
// A way that does not answer for so long is not worth waiting for, as there is
// another one. Reasoned, not measured.
inline constexpr int64_t kLongestConnectNanos = 10 * kNanosPerSecond;
// How long a host may be silent, and the launcher, unless GASNET_HOST_TIMEOUT
// says otherwise: a host that swaps, or a network that changes its way, comes
// back sooner. Reasoned, not measured.
inline constexpr int64_t kDefaultSilenceNanos = 60 * kNanosPerSecond;
// How long the launcher waits, before it stops with its job (Ctrl-Z), for the
// word to a host to be on its way. Reasoned, not measured.
inline constexpr int64_t kPauseNanos = kNanosPerSecond;
// How long ssh has to end, or to report why, after its stream has ended.
// Reasoned, not measured.
inline constexpr int64_t kSshNanos = 3 * kNanosPerSecond;
// Bytes of one read of what ssh prints, and lines of it that are kept for the
// message of its failure: a long greeting and the error behind it. Reasoned,
// not measured.
inline constexpr size_t kSshReadBytes = 4096;
inline constexpr size_t kSshLinesKept = 20;
// Bytes of a program that are read at once for its fingerprint: the reads cost
// nothing beside the hash. Reasoned, not measured.
inline constexpr size_t kFingerprintPieceBytes = 1 << 20;

// How much of the output of a host's ranks may be on the way to the launcher,
// in bytes of its frames: what other notes may have to wait for at every host
// that they pass. Reasoned, not measured.
inline constexpr uint32_t kOutputWindow = 64 << 10;
// The most that one end of a relay may send before the other end has passed it
// on, which is also the memory that it may cost at each end: as much for each
// host that is reached through it as for the output of the host on the way, so
// that they share the stream evenly, however long the way is. Beyond some hosts
// it is enough that their share is by far the larger one. Reasoned, not
// measured.
inline constexpr uint32_t kRelayWindow = kOutputWindow;
inline constexpr uint32_t kMaxRelayWindow = 16 * kRelayWindow;
// A window is given back in pieces: worth a note, and little next to any
// window, so that the sender has its credit long before it has no room.
// Reasoned, not measured.
inline constexpr uint32_t kWindowPiece = 16 << 10;
// A frame of a relay carries so much: a note costs little next to this, and
// others get their turn soon. Reasoned, not measured.
inline constexpr size_t kRelayPieceBytes = 16 << 10;

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_TUNING_H_
