// The messages between a job's head and its members. They are used if another
// system's launcher has started the processes (docs/design/job-control.md). The
// messages are frames (job/wire/frame.h) on a private stream.
//
//   member                               head
//   MEMBER                         ->
//                                  <-    PLACE
//   STARTED RANK_HELLO ...         ->
//                                  <-    TO_RANKS END_RANK SIGNAL_...
//   MEMBER_SIGNAL                  ->
//                                  <-    FINISH
//   FINISHED                       ->
//                                  <-    RELEASE
//
// A member that cannot go on sends AGENT_FAILED. All messages except MEMBER and
// PLACE are notes (job/wire/note.h).
#ifndef JOB_WIRE_MEMBER_MESSAGES_H_
#define JOB_WIRE_MEMBER_MESSAGES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "job/wire/frame.h"

namespace gasnet::job {

inline constexpr uint32_t kMemberVersion = 3;

// The identity of a member.
struct MemberHello {
  std::string proof = {};  // Secret::proof().
  uint32_t rank = 0;
  std::vector<uint32_t> cpus = {};  // The CPUs on which the member may run.
  // The host's identity (job/launch/own_host.h).
  std::string host = {};
  std::string name = {};   // The host's name, for messages.
  uint32_t pid = 0;        // The process that has `memory_fd` open.
  uint32_t memory_fd = 0;  // Memory that the ranks of this host may share.
};

// The memory that the ranks of a member's host share: the process that has the
// memory open, and its descriptor of this memory.
struct SharedMemoryPlace {
  uint32_t pid = 0;
  uint32_t memory_fd = 0;
};

std::string EncodeMemberHello(const MemberHello& hello);
std::string EncodePlace(const SharedMemoryPlace& place);

// Decode the payload of a MEMBER or a PLACE. Return false unless the payload is
// exactly one message of this type and of this version.
bool DecodeMemberHello(std::string_view payload, MemberHello& hello);
bool DecodePlace(std::string_view payload, SharedMemoryPlace& place);

// The frames that each side accepts at each stage.
const FrameLimits& LimitsBeforeMember();  // head
const FrameLimits& LimitsAfterMember();   // head
const FrameLimits& LimitsOfMember();      // member

}  // namespace gasnet::job

#endif  // JOB_WIRE_MEMBER_MESSAGES_H_
