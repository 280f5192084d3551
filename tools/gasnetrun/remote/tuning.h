// Constants that tune the connections to hosts and the traffic between hosts
// and the launcher. The tests of many hosts in tools/gasnetrun/testing exercise
// the constants. All values are reasoned, not measured.
#ifndef TOOLS_GASNETRUN_REMOTE_TUNING_H_
#define TOOLS_GASNETRUN_REMOTE_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace gasnet::gasnetrun {

// The number of connections that begin at a time. So many hide the latency of
// the network and use all processors of the host that connects.
inline constexpr size_t kStartsAtOnce = 64;
// The maximum number of hosts that are reached through one host, unless
// GASNET_SSH_OUT_DEGREE is set. The number equals the number of connections
// that begin at a time. In a job with fewer hosts the launcher connects to all
// of them, and no other host needs ssh keys.
inline constexpr uint32_t kDefaultOutDegree = kStartsAtOnce;
// The time limit of a connection through another host. When it is over, the
// launcher connects directly.
inline constexpr int64_t kLongestConnectNanos = 10 * kNanosPerSecond;
// The time for which a host, or the launcher, may be silent, unless
// GASNET_HOST_TIMEOUT is set. A host that swaps responds sooner, and so does a
// network that changes its route.
inline constexpr int64_t kDefaultSilenceNanos = 60 * kNanosPerSecond;
// The launcher may stop together with its job (Ctrl-Z). First it sends a note
// to each host, and waits at most this time until the note is sent.
inline constexpr int64_t kPauseNanos = kNanosPerSecond;
// The time after the end of the stream to a host. Within it, ssh must end or
// report why the stream ended.
inline constexpr int64_t kSshNanos = 3 * kNanosPerSecond;
// kSshReadBytes is the size of one read of ssh's standard error. kSshLinesKept
// is the number of lines that are kept for a message about the failure of ssh.
// So many lines hold a long greeting and the error that follows it.
inline constexpr size_t kSshReadBytes = 4096;
inline constexpr size_t kSshLinesKept = 20;
// The size of one read of a program for its fingerprint. Reads of this size
// cost little in comparison with the hash.
inline constexpr size_t kFingerprintPieceBytes = 1 << 20;

// The maximum number of bytes of a host's output in flight to the launcher,
// frames included. At each host on the way, other notes may have to wait behind
// so much output.
inline constexpr uint32_t kOutputWindow = 64 << 10;
// The maximum number of bytes that one end of a relay may send before the other
// end has passed them on. This also bounds the memory at each end. A relay's
// window has kRelayWindow bytes for each host that is reached through the
// relay. The output of the relaying host has a window of the same size. So all
// hosts share the stream evenly, however long the way is. A window never
// exceeds kMaxRelayWindow.
inline constexpr uint32_t kRelayWindow = kOutputWindow;
inline constexpr uint32_t kMaxRelayWindow = 16 * kRelayWindow;
// The number of bytes for which one note returns credit of a window. So many
// bytes are worth a note. They are few compared with any window, so the credit
// arrives long before the sender runs out of credit.
inline constexpr uint32_t kWindowPiece = 16 << 10;
// The number of bytes in one frame of a relay. So many bytes make the cost of a
// note small. Sending them does not delay other traffic for long.
inline constexpr size_t kRelayPieceBytes = 16 << 10;

}  // namespace gasnet::gasnetrun

#endif  // TOOLS_GASNETRUN_REMOTE_TUNING_H_
