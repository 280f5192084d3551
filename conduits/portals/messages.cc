#include "conduits/portals/messages.h"

#include <cstddef>

#include "base/round_up.h"
#include "conduits/portals/tagged.h"

namespace gasnet::portals_conduit {

PortalsMessages::PortalsMessages(ConduitInterface& interface, OpSlots& op_slots,
                                 PortalsTransfers& transfers,
                                 PortalsStatistics& statistics,
                                 const Plan& plan,
                                 const PortalsSettings& settings, Rank me,
                                 Rank ranks)
    : interface_(interface),
      transfers_(transfers),
      flow_(interface, statistics, plan, settings.credits, me, ranks),
      offers_(interface),
      requests_(interface, op_slots, transfers, statistics, flow_, plan,
                settings, ranks),
      replies_(interface, op_slots, statistics, flow_, plan, settings),
      sender_(interface, op_slots, transfers, statistics, offers_, requests_,
              replies_, plan, settings),
      receiver_(interface, op_slots, transfers, statistics, plan, flow_,
                requests_, replies_) {}

absl::Status PortalsMessages::Start() {
  const size_t words =
      RoundUp(requests_.bytes() + replies_.bytes(), kRecordAlignment);
  const size_t bytes = words + transfers_.words_bytes();
  absl::Status status = chunks_.Map(bytes);
  if (!status.ok()) return status;
  replies_.SetChunks(chunks_.base() + requests_.bytes());
  transfers_.SetWords(chunks_.base() + words);
  if (!interface_.covers_all()) {
    status = interface_.CoverChunks(chunks_.base(), bytes);
  }
  if (status.ok()) status = requests_.Start(chunks_.base());
  if (status.ok()) status = offers_.Start();
  // Messages to these entries have no body.
  for (const PortalTable table : {PortalTable::kSystem, PortalTable::kBell}) {
    if (status.ok()) {
      status = interface_.Append({.table = table, .options = PTL_ME_OP_PUT});
    }
  }
  if (status.ok()) status = receiver_.Start();
  return status;
}

}  // namespace gasnet::portals_conduit
