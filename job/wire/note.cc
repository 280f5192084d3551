#include "job/wire/note.h"

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "job/wire/limits.h"
#include "job/wire/wire.h"

namespace gasnet::job {
namespace {

// The maximum size in bytes of a WELCOME or GATHERED, with its frame header.
constexpr size_t kMaxToRanksBytes =
    size_t{kMaxNodes} * kMaxGatherBytes + kMaxEnvironmentBytes;

}  // namespace

std::string EncodeNote(FrameType type, const Note& note) {
  WireWriter out;
  out.U32(note.rank);
  out.U32(note.value);
  out.Raw(note.bytes);
  return EncodeFrame(type, out.Take());
}

std::string EncodeNoteHead(FrameType type, size_t size) {
  const FrameHeader header =
      EncodeFrameHeader(type, static_cast<uint32_t>(kNoteBytes + size));
  return absl::StrCat(std::string_view(header.data(), header.size()),
                      std::string(kNoteBytes, '\0'));
}

bool DecodeNote(std::string_view payload, Note& note) {
  WireReader in(payload);
  note.rank = in.U32();
  note.value = in.U32();
  note.bytes = in.Raw(in.remaining());
  return in.Complete();
}

FrameLimits RankReportLimits() {
  return FrameLimits()
      .Allow(FrameType::kAgentFailed, kNoteBytes + kMaxReasonBytes)
      .Allow(FrameType::kStarted, kNoteBytes)
      .Allow(FrameType::kRankHello, kNoteBytes + kMaxConfigBytes)
      .Allow(FrameType::kRankGather, kNoteBytes + kMaxGatherBytes)
      .Allow(FrameType::kRankExit, kNoteBytes)
      .Allow(FrameType::kRankClosed, kNoteBytes + kMaxReasonBytes)
      .Allow(FrameType::kRankEnded, kNoteBytes)
      .Allow(FrameType::kRankStatus, kNoteBytes + kMaxStatusBytes)
      .Allow(FrameType::kRankStatistics, kNoteBytes + kMaxStatisticsBytes)
      .Allow(FrameType::kFinished, kNoteBytes);
}

FrameLimits RankOrderLimits() {
  return FrameLimits()
      .Allow(FrameType::kToRanks, kNoteBytes + kMaxToRanksBytes)
      .Allow(FrameType::kEndRank, kNoteBytes + kMaxReasonBytes)
      .Allow(FrameType::kSignalGroups, kNoteBytes)
      .Allow(FrameType::kSignalRanks, kNoteBytes)
      .Allow(FrameType::kAskStatus, kNoteBytes)
      .Allow(FrameType::kFinish, kNoteBytes);
}

}  // namespace gasnet::job
