#include "job/wire/member_messages.h"

#include <climits>

#include "job/wire/note.h"
#include "job/wire/secret.h"
#include "job/wire/wire.h"
#include "job/wire/wire_lists.h"

namespace gasnet::job {
namespace {

constexpr size_t kMaxNameBytes = 256;
// More CPUs than any host has.
constexpr size_t kMaxCpus = 65536;
constexpr size_t kMaxMemberBytes =
    Secret::kProofBytes + 2 * kMaxNameBytes + 4 * kMaxCpus + 64;

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

std::string EncodePlace(const SharedMemoryPlace& place) {
  WireWriter out;
  out.U32(place.pid);
  out.U32(place.memory_fd);
  return EncodeFrame(FrameType::kPlace, out.Take());
}

bool DecodePlace(std::string_view payload, SharedMemoryPlace& place) {
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
  static const FrameLimits kLimits =
      RankReportLimits().Allow(FrameType::kMemberSignal, kNoteBytes);
  return kLimits;
}

const FrameLimits& LimitsOfMember() {
  static const FrameLimits kLimits =
      RankOrderLimits()
          .Allow(FrameType::kPlace, kNoteBytes)
          .Allow(FrameType::kRelease, kNoteBytes);
  return kLimits;
}

}  // namespace gasnet::job
