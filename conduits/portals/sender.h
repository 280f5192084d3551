// The sender of active messages. It sends requests to any rank. It also sends
// the reply to the request whose handler this thread runs.
//
// A message goes in one of these ways:
//
//   - A message that fits into a chunk goes in one piece. A Long does so
//     only if the settings allow it.
//   - The target fetches a larger payload (offers.h), unless it is the
//     payload of a Long to a segment that Portals reaches.
//   - Any other Long to a segment that Portals reaches goes in halves: payload
//     and header are sent apart, at once. A LID joins them at the target
//     (long_reassembly.h).
//   - If no single descriptor covers the payload of a Long in halves, the
//     payload goes ahead in parts, by puts. Puts are never refused. The
//     header follows when the puts are complete.
//
// A Long that takes several calls keeps its progress in its send state
// (core/rma/send_state.h). Thread-safe. Every Long in halves writes the last
// two members, so these have their own cache line.
#ifndef CONDUITS_PORTALS_SENDER_H_
#define CONDUITS_PORTALS_SENDER_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/cache_line.h"
#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/header.h"
#include "conduits/portals/offers.h"
#include "conduits/portals/op_slots.h"
#include "conduits/portals/packet.h"
#include "conduits/portals/plan.h"
#include "conduits/portals/replies.h"
#include "conduits/portals/requests.h"
#include "conduits/portals/settings.h"
#include "conduits/portals/statistics.h"
#include "conduits/portals/transfers.h"
#include "conduits/portals/tuning.h"
#include "core/am/message.h"
#include "core/rma/pending_count.h"

namespace gasnet::portals_conduit {

class PortalsSender {
 public:
  PortalsSender(ConduitInterface& interface, OpSlots& op_slots,
                PortalsTransfers& transfers, PortalsStatistics& statistics,
                Offers& offers, Requests& requests, Replies& replies,
                const Plan& plan, const PortalsSettings& settings)
      : interface_(interface),
        op_slots_(op_slots),
        transfers_(transfers),
        statistics_(statistics),
        offers_(offers),
        requests_(requests),
        replies_(replies),
        whole_(plan.chunk - kMaxBesides),
        packed_long_(settings.packed_long) {}

  am::Post Send(Rank peer, am::Lane lane, const am::Message& message);

  // Return the maximum payload of a message in one piece, and that of a Medium,
  // in bytes.
  size_t whole() const { return whole_; }
  size_t max_medium() const {
    return std::min(kFetchedBytes, interface_.most_bytes());
  }

 private:
  bool GoesApart(Rank peer, const am::Message& message) const;
  bool SendPacket(Rank peer, am::Lane lane, const PortalsPacket& packet);
  am::Post SendOffered(Rank peer, am::Lane lane, const am::Message& message);
  am::Post SendLong(Rank peer, am::Lane lane, const am::Message& message);
  am::Post SendInHalves(Rank peer, am::Lane lane, const am::Message& message);
  am::Post SendInParts(Rank peer, am::Lane lane, const am::Message& message);
  bool PostParts(Rank peer, am::Lane lane, const am::Message& message);
  bool TakeOpSlot(am::Lane lane) {
    return lane == am::Lane::kRequest ? op_slots_.Take()
                                      : replies_.TakeOpSlot();
  }
  void GiveOpSlot(am::Lane lane) {
    if (lane == am::Lane::kRequest) return op_slots_.Give(1);
    replies_.GiveOpSlot();
  }
  void PostPayload(Rank peer, am::Lane lane, const am::Message& message,
                   uint32_t lid, rma::PendingCount& complete);

  ConduitInterface& interface_;
  OpSlots& op_slots_;
  PortalsTransfers& transfers_;
  PortalsStatistics& statistics_;
  Offers& offers_;
  Requests& requests_;
  Replies& replies_;
  const size_t whole_;
  const bool packed_long_;
  // relaxed: only needs to be unique
  alignas(kCacheLine) std::atomic<uint32_t> next_lid_{0};
  rma::PendingCount unawaited_;  // payloads whose completion no caller awaits
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_SENDER_H_
