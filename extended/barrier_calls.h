// A call of a barrier function (spec 3.5), of the job's or of a team's.
#ifndef EXTENDED_BARRIER_CALLS_H_
#define EXTENDED_BARRIER_CALLS_H_

#include "core/barrier_vote.h"

namespace gasnet::extended {

struct BarrierCall {
  BarrierVote vote;  // what it says of the barrier
  int flags = 0;     // the client's, which a wait repeats; 0: the id counts
};

// Whether a wait or try reports no mismatch; all: every vote, merged. Strict:
// it says what the notify of its node did. Relaxed (GASNET_BARRIER_FLAGS): what
// it says is true of the barrier as all have made it.
inline bool Matches(const BarrierCall& wait, const BarrierCall& notify,
                    const BarrierVote& all, bool relaxed) {
  if (all.mismatch) return false;
  if (!relaxed) {
    return wait.flags == notify.flags &&
           (wait.flags != 0 || wait.vote.id == notify.vote.id);
  }
  if (wait.vote.mismatch) return false;
  return !wait.vote.named || !all.named || wait.vote.id == all.id;
}

}  // namespace gasnet::extended

#endif  // EXTENDED_BARRIER_CALLS_H_
