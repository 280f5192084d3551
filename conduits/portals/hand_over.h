// Gives Portals access to the job. Only the software Portals of this repository
// needs this access, to connect hosts. Any other Portals has its own network.
// With such a Portals, these functions do nothing.
#ifndef CONDUITS_PORTALS_HAND_OVER_H_
#define CONDUITS_PORTALS_HAND_OVER_H_

#include "absl/status/status.h"
#include "job/job.h"

namespace gasnet::portals_conduit {

// Passes the job to Portals. Called before any other use of Portals.
// Collective: fails on all ranks if one rank fails. That rank has already
// reported the error.
absl::Status HandOver(job::Job& job);
// Undoes HandOver. Called when Portals is no longer used.
void TakeBack();

// Returns true if everything that Portals accepted for sending has reached its
// target. While another thread works inside Portals, the result may be false in
// any case. May be called at any time, also in signal handlers.
bool HasArrived();

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_HAND_OVER_H_
