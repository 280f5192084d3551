// The memory and the events that messages take for a given number of peers.
#ifndef CONDUITS_PORTALS_PLAN_H_
#define CONDUITS_PORTALS_PLAN_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "conduits/portals/credits/credit_tables.h"
#include "conduits/portals/settings.h"

namespace gasnet::portals_conduit {

struct Plan {
  uint32_t chunk = 0;    // bytes
  uint32_t servers = 1;  // threads that serve requests at once
  credits::BufferPlan credits;
  // The sizes of the queues: the most events that each can get at once.
  size_t safe_events = 0;
  size_t request_events = 0;
  size_t system_events = 0;

  // `threads`: this process may have several threads.
  static absl::StatusOr<Plan> For(uint32_t peers, bool threads,
                                  const Settings& settings);
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_PLAN_H_
