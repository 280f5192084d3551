#include "conduits/portals/plan.h"

#include "conduits/portals/system_message.h"
#include "conduits/portals/tuning.h"
#include "core/lane.h"

namespace gasnet::portals_conduit {

absl::StatusOr<Plan> Plan::For(uint32_t peers, bool threads,
                               const PortalsSettings& settings) {
  Plan plan;
  plan.chunk = settings.chunk;
  plan.servers = threads ? kServers : 1;
  absl::StatusOr<credits::BufferPlan> credits =
      credits::PlanBuffers(peers, plan.chunk, plan.servers, settings.credits);
  if (!credits.ok()) return credits.status();
  plan.credits = *credits;
  // The queue of requests gets one event for each request, and also the events
  // of linking and unlinking buffers.
  plan.request_events =
      plan.credits.total + 2 * size_t{plan.credits.buffers} + kSlack;
  // Each part of a fetched payload causes an event. All parts but one have at
  // least the size of a chunk (fetches.h).
  const size_t parts = kFetchedBytes / plan.chunk + 1;
  plan.safe_events = settings.msg_limit + settings.rpl_chunks +
                     2 * size_t{settings.sb_chunks} +
                     kLanes * (kOffersEach * parts + kFetchesEach) + kSlack;
  plan.system_events = kSystemMessagesEach * size_t{peers} + kSlack;
  return plan;
}

}  // namespace gasnet::portals_conduit
