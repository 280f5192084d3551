// Active messages over one interface. Each of these parts uses those before it:
//
//   flow control   credits, refusals, system messages
//   offers         payloads larger than a chunk; peers fetch them
//   requests       requests of this rank that are in flight
//   replies        replies of this rank, and the room for them
//   sender         sends requests and replies
//   receiver       runs the handlers of requests and replies, and fetches
//                  payloads
//
// A request is put to the receive buffers of its target. The target puts the
// reply into the chunk that the request was put from. So a request has the room
// for its reply, and replies wait for no other operation.
//
// Thread-safe. The chunks of requests and replies, and the words of atomics
// (transfers.h), are one piece of memory. One descriptor can cover this memory
// if no descriptor covers all memory.
#ifndef CONDUITS_PORTALS_MESSAGES_H_
#define CONDUITS_PORTALS_MESSAGES_H_

#include "absl/status/status.h"
#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/flow_control.h"
#include "conduits/portals/memory.h"
#include "conduits/portals/offers.h"
#include "conduits/portals/op_slots.h"
#include "conduits/portals/plan.h"
#include "conduits/portals/receiver.h"
#include "conduits/portals/replies.h"
#include "conduits/portals/requests.h"
#include "conduits/portals/sender.h"
#include "conduits/portals/settings.h"
#include "conduits/portals/statistics.h"
#include "conduits/portals/transfers.h"
#include "core/rank.h"

namespace gasnet::portals_conduit {

class PortalsMessages {
 public:
  PortalsMessages(ConduitInterface& interface, OpSlots& op_slots,
                  PortalsTransfers& transfers, PortalsStatistics& statistics,
                  const Plan& plan, const PortalsSettings& settings, Rank me,
                  Rank ranks);

  // Maps the memory for messages, and appends the Portals entries for this
  // memory.
  absl::Status Start();

  // Takes back the offers to peers that were given up on. Called regularly.
  void TakeBackOffers() {
    offers_.TakeBack([this](Rank peer) { return flow_.IsGivenUp(peer); });
  }

  // Handles a put to the entry of system messages. If the message permits it,
  // sends refused operations again.
  void TakeSystem(const ptl_event_t& event) {
    requests_.SendAgain(static_cast<Rank>(event.initiator.rank),
                        flow_.TakeSystem(event));
  }

  const FlowControl& flow() const { return flow_; }
  Offers& offers() { return offers_; }
  Requests& requests() { return requests_; }
  Replies& replies() { return replies_; }
  PortalsSender& sender() { return sender_; }
  const PortalsSender& sender() const { return sender_; }
  PortalsReceiver& receiver() { return receiver_; }
  const PortalsReceiver& receiver() const { return receiver_; }

 private:
  ConduitInterface& interface_;
  PortalsTransfers& transfers_;
  Buffers chunks_;
  FlowControl flow_;
  Offers offers_;
  Requests requests_;
  Replies replies_;
  PortalsSender sender_;
  PortalsReceiver receiver_;
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_MESSAGES_H_
