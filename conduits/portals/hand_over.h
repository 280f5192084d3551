// Passes the job to Portals. A Portals that makes its own way between hosts
// needs it: the software Portals of this repository. Others have a network, and
// need nothing.
#ifndef CONDUITS_PORTALS_HAND_OVER_H_
#define CONDUITS_PORTALS_HAND_OVER_H_

#include "absl/status/status.h"
#include "job/job.h"

namespace gasnet::portals {

// Called before Portals is otherwise used. Collective; fails on all ranks if it
// fails on one, which has reported the error by then.
absl::Status HandOver(job::Job& job);
// Called when Portals is no longer used.
void TakeBack();

// Returns true if all that Portals accepted for sending has reached its
// targets. May return false while another thread works on that. May be called
// at any time, also in signal handlers.
bool HasArrived();

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_HAND_OVER_H_
