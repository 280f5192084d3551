// The resources that messages need for a given number of peers: memory, and the
// sizes of the event queues.
#ifndef CONDUITS_PORTALS_PLAN_H_
#define CONDUITS_PORTALS_PLAN_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "conduits/portals/credits/credit_tables.h"
#include "conduits/portals/settings.h"

namespace gasnet::portals_conduit {

struct Plan {
  uint32_t chunk = 0;    // bytes of a chunk
  uint32_t servers = 1;  // threads that serve requests at once
  credits::BufferPlan credits;
  // The sizes of the event queues. Each is the maximum number of events in the
  // queue at once.
  size_t safe_events = 0;
  size_t request_events = 0;
  size_t system_events = 0;

  // Returns the plan for `peers` peers. `threads` is true if this process may
  // have several threads.
  static absl::StatusOr<Plan> For(uint32_t peers, bool threads,
                                  const PortalsSettings& settings);
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_PLAN_H_
