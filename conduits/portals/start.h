// How the ranks of a job come to one interface each, and to each other's
// segments.
#ifndef CONDUITS_PORTALS_START_H_
#define CONDUITS_PORTALS_START_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "conduits/portals/barrier.h"
#include "conduits/portals/interface.h"
#include "conduits/portals/plan.h"
#include "conduits/portals/settings.h"
#include "core/segment.h"
#include "job/job.h"

namespace gasnet::portals {

struct Started {
  Settings settings;
  Plan plan;
  std::unique_ptr<Interface> interface;
  std::vector<ptl_process_t> processes;  // by rank
  // Null on all ranks where limits forbid it at any.
  std::unique_ptr<Barrier> barrier;
};

// Collective; fails on all ranks when it fails on one. threads: whether several
// may serve requests at once.
absl::StatusOr<Started> StartInterfaces(job::Job& job, bool threads);

// How large this rank's segment may be where its memory has to be there when it
// is bound: its share of the part of the host's that
// GASNET_PHYSMEM_PINNABLE_RATIO says.
uintptr_t MostPinned(const job::Job& job, const Started& started);

// Whether Portals reaches a rank's segment. If not, messages do.
struct Exposed {
  bool reached = false;
};

// Makes this rank's segment reachable for peers.
absl::StatusOr<Exposed> ExposeSegment(Interface& interface,
                                      const Segment& mine);

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_START_H_
