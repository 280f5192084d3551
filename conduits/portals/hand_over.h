// Hands the job to a Portals, which it needs where it makes its own way
// between hosts: the software Portals of this repository. Others have a
// network, and need nothing.
#ifndef CONDUITS_PORTALS_HAND_OVER_H_
#define CONDUITS_PORTALS_HAND_OVER_H_

#include "absl/status/status.h"
#include "job/job.h"

namespace gasnet::portals {

// Before anything else is asked of Portals. Collective; fails on all ranks when
// it fails on one, which has been reported then.
absl::Status HandOver(job::Job& job);
// When nothing is asked of it any more.
void TakeBack();

// Whether what Portals has taken to send is with its targets. May be false
// while another thread works on that. Any time, signal handlers included.
bool HasArrived();

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_HAND_OVER_H_
