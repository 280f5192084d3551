// The enrolment of members at a job's head: each connects and sends MEMBER.
//
// A connection is dropped if it sends something else, has another proof, is
// silent for ten seconds, or repeats a rank that has enrolled. Bytes behind a
// proof are not read before the proof is verified (job/wire/proven_reader.h). A
// silent stranger may be dropped in favour of a newer one, and so has less
// time. A member that is dropped that way connects again
// (job/managed/member.h). A member whose MEMBER arrives together with its
// connection never waits. One thread, before the job has begun.
#ifndef JOB_MANAGED_ENROLLMENT_H_
#define JOB_MANAGED_ENROLLMENT_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/unique_fd.h"
#include "job/launch/event_loop.h"
#include "job/wire/member_messages.h"
#include "job/wire/proven_reader.h"
#include "job/wire/secret.h"

namespace gasnet::job {

struct EnrolledMember {
  MemberHello hello;
  UniqueFd stream;  // PLACE has not been sent.
};

// Indexed by rank.
using Roster = std::vector<EnrolledMember>;

class Enrollment {
 public:
  // `listener` does not block.
  Enrollment(int listener, const Secret& secret, uint32_t size);

  // Waits until all members have enrolled. Returns nothing if one of them has
  // left meanwhile.
  std::optional<Roster> Await();

  uint32_t enrolled() const { return enrolled_; }

 private:
  struct Stranger {
    UniqueFd stream;
    ProvenReader reader;
    int64_t deadline;
  };

  void Accept();
  void Greet(UniqueFd stream);
  void Read(Stranger& stranger);
  bool Enroll(Stranger& stranger, const Frame& frame);
  void Drop(Stranger& stranger);
  void Expire(int64_t now);

  const int listener_;
  const Secret secret_;
  EventLoop loop_;
  std::deque<std::unique_ptr<Stranger>> strangers_;  // In order of deadlines.
  Roster roster_;
  uint32_t enrolled_ = 0;
  bool has_lost_one_ = false;
};

}  // namespace gasnet::job

#endif  // JOB_MANAGED_ENROLLMENT_H_
