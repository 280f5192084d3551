// A message about a rank (with kReading: about a stream). Notes travel between
// the process that supervises a job and a process that owns ranks. The owner is
// an agent of gasnetrun, or a member (job/managed/member.h). A note has a rank,
// a value and bytes. Each type uses some of them:
//
//   kStarted, kRankHello  value: process id     bytes: build configuration
//   kRankGather           value: sequence       bytes: the part
//   kRankExit, kRankEnded value: code, wait status
//   kRankClosed           bytes: why
//   kAskStatus            value: the place of the rank's page (members)
//   kRankStatus           bytes: as in job/status/rank_status.h
//   kRankStatistics       bytes: as in job/statistics/rank_statistics.h
//   kRankOutput           value: stream         bytes: lines
//   kOutputTaken          value: bytes of the frames of kRankOutput
//   kAgentFailed          value: exit code      bytes: why
//   kToRanks, kEndRank    bytes: a frame
//   kSignalGroups, kSignalRanks, kMemberSignal  value: signal
//   kReading              rank: stream, value: 1 or 0
//   kInput                bytes: empty at the end
//   kRelease              value: exit code
//   kRelay...             rank: the relay, which is the number of its host
//   kRelayStart           value: its window      bytes: a list of words
//   kRelayData            bytes: empty at the end
//   kRelayTaken           value: a number of bytes
//   kRelaySaid            bytes: a line
//   kRelayEnded           value: wait status    bytes: why it never ran
#ifndef JOB_WIRE_NOTE_H_
#define JOB_WIRE_NOTE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "job/wire/frame.h"

namespace gasnet::job {

struct Note {
  uint32_t rank = 0;
  uint32_t value = 0;
  std::string_view bytes = {};
};

// The encoded size of a note's rank and value, in bytes.
inline constexpr size_t kNoteBytes = 8;
inline constexpr size_t kNoteFrameBytes = kFrameHeaderBytes + kNoteBytes;

std::string EncodeNote(FrameType type, const Note& note);
// Returns the beginning of a note. The caller appends `size` bytes.
std::string EncodeNoteHead(FrameType type, size_t size);

// Decodes a note. Returns false unless the payload is exactly one note.
bool DecodeNote(std::string_view payload, Note& note);

// The maximum size in bytes of the reason in a note.
inline constexpr size_t kMaxReasonBytes = 16 << 10;

// RankReportLimits returns the limits of the notes that a supervisor accepts
// from any owner of ranks, except output. RankOrderLimits returns the limits of
// the notes that an owner accepts from any supervisor.
FrameLimits RankReportLimits();
FrameLimits RankOrderLimits();

}  // namespace gasnet::job

#endif  // JOB_WIRE_NOTE_H_
