// The enrolment of members at a job's head: each member connects and sends
// MEMBER.
//
// The head drops a connection if its peer does one of these:
// - sends something other than MEMBER
// - sends a wrong proof
// - is silent for ten seconds
// - repeats a rank that has enrolled
//
// The head does not read bytes behind a proof before it has verified the proof
// (job/wire/proven_reader.h). To admit newer connections, the head may drop a
// silent peer before the ten seconds are over. A member that is dropped in this
// way connects again (job/managed/member.h). A peer whose MEMBER arrives with
// its connection is never dropped in this way. Used by one thread, before the
// job has begun.
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
  UniqueFd stream;  // The member's connection. PLACE has not been sent yet.
};

// Indexed by rank.
using Roster = std::vector<EnrolledMember>;

class Enrollment {
 public:
  // `listener` must be non-blocking.
  Enrollment(int listener, const Secret& secret, uint32_t size);

  // Waits until all members have enrolled. Returns nothing if a member leaves
  // during the wait.
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
  std::deque<std::unique_ptr<Stranger>> strangers_;  // Sorted by deadline.
  Roster roster_;
  uint32_t enrolled_ = 0;
  bool has_lost_one_ = false;
};

}  // namespace gasnet::job

#endif  // JOB_MANAGED_ENROLLMENT_H_
