// Active messages over one interface.
//
// A request is written into a chunk and put to the receive buffers of its
// target. The chunk is kept until the reply comes, which is put into it. Every
// request is answered: where its handler does not reply, by a message that says
// nothing but gives back. So whoever has a chunk also has the room for its
// reply, and replies wait for nobody.
//
//   request  credits, ticket, chunk --put--> in flight --reply--> free
//   reply    two tickets and a chunk, taken before the request is looked for
//
// Handlers run where the message lies, with no lock held; their thread knows
// which request it serves, since a request's handler is not interrupted by
// another. Any threads.
#ifndef CONDUITS_PORTALS_MESSAGES_H_
#define CONDUITS_PORTALS_MESSAGES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/status.h"
#include "conduits/portals/credits.h"
#include "conduits/portals/header.h"
#include "conduits/portals/interface.h"
#include "conduits/portals/plan.h"
#include "conduits/portals/pool.h"
#include "conduits/portals/request_buffers.h"
#include "conduits/portals/settings.h"
#include "conduits/portals/tagged.h"
#include "conduits/portals/tickets.h"
#include "conduits/portals/transfers.h"
#include "core/am/dispatcher.h"
#include "core/am/message.h"
#include "core/segment.h"

namespace gasnet::portals {

class Messages {
 public:
  Messages(Interface& interface, Tickets& tickets, Transfers& transfers,
           const Plan& plan, const Settings& settings, Rank ranks);

  // Appends the entries.
  Status Start();
  void SetSegment(const Segment& segment) { segment_ = segment; }

  am::Post Send(Rank peer, am::Lane lane, const am::Message& message);

  // Serves a request, if one has come and there is what its reply needs:
  // next(event) takes an event of the queue of requests. Whether an event was
  // taken; `handled` counts handlers that ran.
  template <class Next>
  bool ServeOne(Next next, am::Dispatcher& dispatcher, unsigned& handled) {
    if (!tickets_.TakeForReply(Tickets::kForReplies)) return false;
    Serving serving;
    serving.tickets = Tickets::kForReplies;
    serving.slot = replies_.Take();
    ptl_event_t event;
    const bool taken = serving.slot != nullptr && next(event);
    if (taken) handled += Serve(event, serving, dispatcher);
    if (serving.slot != nullptr) replies_.Give(*serving.slot);
    tickets_.Give(serving.tickets);
    return taken;
  }

  // A put to the entry of replies. How many handlers ran: none without a
  // dispatcher.
  unsigned TakeReply(const ptl_event_t& event, am::Dispatcher* dispatcher);
  // A reply's chunk may be used again.
  void ReplySent(const ptl_event_t& event);

  void CatchUp() { buffers_.CatchUp(); }

  static Rank PeerOf(void* user, Kind kind);
  size_t max_medium() const { return chunk_ - kMostBesides; }

 private:
  struct alignas(kRecordAlignment) RequestSlot {
    std::atomic<bool> in_flight{false};
    Rank peer = 0;
    uint8_t credits = 0;
  };
  struct alignas(kRecordAlignment) ReplySlot {
    Rank peer = 0;
  };
  // The request whose handler a thread runs.
  struct Serving {
    Rank source = 0;
    uint32_t chunk = 0;
    uint8_t credits = 0;
    bool replied = false;
    uint32_t tickets = 0;
    ReplySlot* slot = nullptr;
  };

  bool IsPacked(Rank peer, const am::Message& message) const;
  am::Post SendWhole(Rank peer, am::Lane lane, const am::Message& message);
  am::Post SendLong(Rank peer, am::Lane lane, const am::Message& message);
  bool PostPayload(Rank peer, am::Lane lane, const am::Message& message);
  RequestSlot* TakeSlot(Rank peer, uint8_t credits);
  am::Post SendRequest(Rank peer, Header header, const BodyLayout& layout,
                       const am::Message& message);
  void SendReply(Header header, const BodyLayout& layout,
                 const am::Message* message);
  unsigned Serve(const ptl_event_t& event, Serving& serving,
                 am::Dispatcher& dispatcher);
  void Deliver(Rank source, am::Lane lane, const Header& header,
               std::byte* body, size_t nbytes, am::Dispatcher& dispatcher);
  void Release(RequestSlot& slot);

  static constinit thread_local Serving* serving_;

  Interface& interface_;
  Tickets& tickets_;
  Transfers& transfers_;
  const size_t chunk_;
  const bool packed_long_;
  StaticCredits credits_;
  RequestBuffers buffers_;
  Pool<RequestSlot> requests_;
  Pool<ReplySlot> replies_;
  std::byte* request_chunks_ = nullptr;
  std::byte* reply_chunks_ = nullptr;
  Segment segment_;
};

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_MESSAGES_H_
