// A job's head learns of its members here: each connects and says MEMBER.
//
// A connection is dropped if it says something else, has another proof, says
// nothing for ten seconds, or repeats a rank that is there already. Nothing
// behind a proof is read before the proof is right (job/wire/proven_reader.h).
// A stranger that is still silent may be dropped in favour of another one,
// which gets less time. A member that this happens to connects again
// (job/managed/member.h). A member whose MEMBER has come with its connection
// never waits. One thread, before the job has begun.
#ifndef JOB_MANAGED_MUSTER_H_
#define JOB_MANAGED_MUSTER_H_

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
  UniqueFd stream;  // Has not been told its PLACE.
};

// Indexed by rank.
using Roster = std::vector<EnrolledMember>;

class Muster {
 public:
  // `listener` does not block.
  Muster(int listener, const Secret& secret, uint32_t size);

  // Waits until all are there. Returns nothing if one of them has left
  // meanwhile.
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

#endif  // JOB_MANAGED_MUSTER_H_
