// A call of a barrier function (spec 3.5), on the job's barrier or a team's.
#ifndef EXTENDED_BARRIER_CALLS_H_
#define EXTENDED_BARRIER_CALLS_H_

#include "core/barrier_vote.h"

namespace gasnet::extended {

struct BarrierCall {
  BarrierVote vote;  // the vote that the call gives
  int flags = 0;     // as the client gave them; 0 means that the id counts
};

// Returns true if a wait or try reports no mismatch. `all` is the merge of all
// votes. Without `relaxed`, the arguments of the wait must equal those of its
// node's notify. With it (GASNET_BARRIER_FLAGS), they need only fit the merged
// votes.
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
