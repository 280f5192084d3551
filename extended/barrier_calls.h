// One call of a barrier function (spec 3.5), for the job's barrier or a team's.
#ifndef EXTENDED_BARRIER_CALLS_H_
#define EXTENDED_BARRIER_CALLS_H_

#include "core/barrier_vote.h"

namespace gasnet::extended {

struct BarrierCall {
  BarrierVote vote;  // the vote that the call gives
  // as the client gave them; 0: the barrier has a name, the id
  int flags = 0;
};

// Returns true if a wait or try is to report no mismatch. all: the merge of all
// votes. relaxed: the setting of GASNET_BARRIER_FLAGS. If relaxed is false, the
// arguments of the wait must equal those of its node's notify. If it is true,
// they need only be compatible with the merged votes.
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
