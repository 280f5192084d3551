// The arguments of the barrier functions (spec 3.5), of the job's and of
// teams'.
#ifndef EXTENDED_BARRIER_CALLS_H_
#define EXTENDED_BARRIER_CALLS_H_

#include "core/barrier_vote.h"
#include "gasnet/types.h"

namespace gasnet::extended {

struct BarrierCall {
  int id = 0;
  int flags = 0;  // GASNET_BARRIERFLAG_ANONYMOUS and _MISMATCH
};

inline BarrierVote VoteOf(const BarrierCall& notify) {
  constexpr int kNameless =
      GASNET_BARRIERFLAG_ANONYMOUS | GASNET_BARRIERFLAG_MISMATCH;
  return {.named = (notify.flags & kNameless) == 0,
          .mismatch = (notify.flags & GASNET_BARRIERFLAG_MISMATCH) != 0,
          .id = notify.id};
}

// Whether a wait or try reports no mismatch; all: every vote, merged. Strict:
// it says what the notify of its node did. Relaxed (GASNET_BARRIER_FLAGS): what
// it says is true of the barrier as all have made it.
inline bool Matches(const BarrierCall& wait, const BarrierCall& notify,
                    const BarrierVote& all, bool relaxed) {
  if (all.mismatch) return false;
  if (!relaxed) {
    return wait.flags == notify.flags &&
           (wait.flags != 0 || wait.id == notify.id);
  }
  if ((wait.flags & GASNET_BARRIERFLAG_MISMATCH) != 0) return false;
  if ((wait.flags & GASNET_BARRIERFLAG_ANONYMOUS) != 0) return true;
  return !all.named || wait.id == all.id;
}

}  // namespace gasnet::extended

#endif  // EXTENDED_BARRIER_CALLS_H_
