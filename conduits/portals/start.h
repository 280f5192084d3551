// Starts a job's interfaces, one for each rank, and exposes the ranks'
// segments.
#ifndef CONDUITS_PORTALS_START_H_
#define CONDUITS_PORTALS_START_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "conduits/portals/barrier.h"
#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/plan.h"
#include "conduits/portals/settings.h"
#include "core/segment.h"
#include "job/job.h"

namespace gasnet::portals_conduit {

struct PortalsStartup {
  PortalsSettings settings;
  Plan plan;
  std::unique_ptr<ConduitInterface> interface;
  std::vector<ptl_process_t> processes;  // indexed by rank
  // Null on all ranks if the limits of any rank forbid the barrier.
  std::unique_ptr<PortalsBarrier> barrier;
};

// Opens the interfaces. Collective: fails on all ranks if one rank fails.
// `threads` is true if several threads may serve requests at once.
absl::StatusOr<PortalsStartup> StartInterfaces(job::Job& job, bool threads);

// Returns the maximum size of this rank's segment in bytes, if the segment's
// memory must be present when it is bound. The maximum is the rank's share of
// the host's pinnable memory. GASNET_PHYSMEM_PINNABLE_RATIO sets the pinnable
// part of the host's memory.
uintptr_t MostPinned(const job::Job& job, const PortalsStartup& started);

// The result of exposing a rank's segment. If Portals does not reach the
// segment, active messages do. coherent: Portals reaches it, and atomics of
// Portals are coherent there with those of the rank's processor.
struct ExposeResult {
  bool reached = false;
  bool coherent = false;
};

// Exposes this rank's segment to peers.
absl::StatusOr<ExposeResult> ExposeSegment(ConduitInterface& interface,
                                           const Segment& mine);

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_START_H_
