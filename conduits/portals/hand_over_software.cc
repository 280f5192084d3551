// The implementation of hand_over.h for the software Portals of this
// repository.
#include "absl/status/status.h"
#include "conduits/portals/hand_over.h"
#include "portals/job/hand_over.h"

namespace gasnet::portals_conduit {

absl::Status HandOver(job::Job& job) { return portals4::HandOver(job); }

void TakeBack() { portals4::TakeBack(); }

bool HasArrived() { return portals4::HasArrived(); }

}  // namespace gasnet::portals_conduit
