// The implementation of hand_over.h for a Portals that has its own network.
#include "absl/status/status.h"
#include "conduits/portals/hand_over.h"

namespace gasnet::portals_conduit {

absl::Status HandOver(job::Job&) { return absl::OkStatus(); }

void TakeBack() {}

bool HasArrived() { return true; }

}  // namespace gasnet::portals_conduit
