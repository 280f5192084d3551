#include "job/member_messages.h"

#include <climits>

#include "job/limits.h"
#include "job/note.h"
#include "job/secret.h"
#include "job/wire.h"
#include "job/wire_lists.h"

namespace gasnet::job {
namespace {

constexpr size_t kMaxNameBytes = 256;
constexpr size_t kMaxWhyBytes = 16 << 10;
// More than any host has.
constexpr size_t kMaxCpus = 65536;
constexpr size_t kMaxMemberBytes =
    Secret::kProofBytes + 2 * kMaxNameBytes + 4 * kMaxCpus + 64;
// A WELCOME or what was gathered, with the head of its frame.
constexpr size_t kMaxToRanksBytes =
    size_t{kMaxNodes} * kMaxGatherBytes + kMaxEnvironmentBytes;

bool IsOpenFile(uint32_t pid, uint32_t fd) {
  return pid > 0 && pid <= INT_MAX && fd <= INT_MAX;
}

}  // namespace

std::string EncodeMemberHello(const MemberHello& hello) {
  WireWriter out;
  out.U32(kMemberVersion);
  out.Raw(hello.proof);
  out.U32(hello.rank);
  WriteNumbers(out, hello.cpus);
  out.Text(hello.host);
  out.Text(hello.name);
  out.U32(hello.pid);
  out.U32(hello.memory_fd);
  return EncodeFrame(FrameType::kMember, out.Take());
}

bool DecodeMemberHello(std::string_view payload, MemberHello& hello) {
  WireReader in(payload);
  if (in.U32() != kMemberVersion) return false;
  hello.proof = in.Raw(Secret::kProofBytes);
  hello.rank = in.U32();
  hello.cpus = ReadNumbers(in, kMaxCpus);
  hello.host = in.Text(kMaxNameBytes);
  hello.name = in.Text(kMaxNameBytes);
  hello.pid = in.U32();
  hello.memory_fd = in.U32();
  return in.Complete() && !hello.cpus.empty() && !hello.host.empty() &&
         IsOpenFile(hello.pid, hello.memory_fd);
}

std::string EncodePlace(const Place& place) {
  WireWriter out;
  out.U32(place.pid);
  out.U32(place.memory_fd);
  return EncodeFrame(FrameType::kPlace, out.Take());
}

bool DecodePlace(std::string_view payload, Place& place) {
  WireReader in(payload);
  place.pid = in.U32();
  place.memory_fd = in.U32();
  return in.Complete() && IsOpenFile(place.pid, place.memory_fd);
}

const FrameLimits& LimitsBeforeMember() {
  static constexpr FrameLimits kLimits =
      FrameLimits().Allow(FrameType::kMember, kMaxMemberBytes);
  return kLimits;
}

const FrameLimits& LimitsAfterMember() {
  static constexpr FrameLimits kLimits =
      FrameLimits()
          .Allow(FrameType::kAgentFailed, kNoteBytes + kMaxWhyBytes)
          .Allow(FrameType::kStarted, kNoteBytes)
          .Allow(FrameType::kRankHello, kNoteBytes + kMaxConfigBytes)
          .Allow(FrameType::kRankGather, kNoteBytes + kMaxGatherBytes)
          .Allow(FrameType::kRankExit, kNoteBytes)
          .Allow(FrameType::kRankClosed, kNoteBytes + kMaxWhyBytes)
          .Allow(FrameType::kRankEnded, kNoteBytes)
          .Allow(FrameType::kMemberSignal, kNoteBytes)
          .Allow(FrameType::kFinished, kNoteBytes);
  return kLimits;
}

const FrameLimits& LimitsOfMember() {
  static constexpr FrameLimits kLimits =
      FrameLimits()
          .Allow(FrameType::kPlace, kNoteBytes)
          .Allow(FrameType::kToRanks, kNoteBytes + kMaxToRanksBytes)
          .Allow(FrameType::kEndRank, kNoteBytes + kMaxWhyBytes)
          .Allow(FrameType::kSignalGroups, kNoteBytes)
          .Allow(FrameType::kSignalRanks, kNoteBytes)
          .Allow(FrameType::kFinish, kNoteBytes)
          .Allow(FrameType::kRelease, kNoteBytes);
  return kLimits;
}

}  // namespace gasnet::job
