// Over a Portals that has its network.
#include "conduits/portals/hand_over.h"

namespace gasnet::portals {

Status HandOver(job::Job&) { return OkStatus(); }

bool HasArrived() { return true; }

}  // namespace gasnet::portals
