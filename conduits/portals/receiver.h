// The receiver of active messages. It serves requests of other ranks, and takes
// the replies to requests of this rank.
//
// A thread looks for a request only while it holds the room for the reply
// (replies.h). Handlers run without any lock, on the message in place:
//
// - a request in its receive buffer (request_buffers.h)
// - a reply in the chunk of its request
// - the payload of a Long in the segment
//
// Halves of a Long are joined before the handler runs (long_reassembly.h).
// Payloads that are not in the message are fetched before it runs (fetches.h).
// A malformed message ends the job.
//
// Thread-safe: each thread takes its own events. Halves and receive buffers
// have their own locks and counts. Segments are set before any rank sends.
#ifndef CONDUITS_PORTALS_RECEIVER_H_
#define CONDUITS_PORTALS_RECEIVER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "base/cache_line.h"
#include "conduits/portals/arrived.h"
#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/fetches.h"
#include "conduits/portals/flow_control.h"
#include "conduits/portals/header.h"
#include "conduits/portals/long_reassembly.h"
#include "conduits/portals/op_slots.h"
#include "conduits/portals/plan.h"
#include "conduits/portals/replies.h"
#include "conduits/portals/request_buffers.h"
#include "conduits/portals/requests.h"
#include "conduits/portals/statistics.h"
#include "conduits/portals/transfers.h"
#include "core/am/dispatcher.h"
#include "core/am/message.h"
#include "core/segment.h"

namespace gasnet::portals_conduit {

class PortalsReceiver {
 public:
  PortalsReceiver(ConduitInterface& interface, OpSlots& op_slots,
                  PortalsTransfers& transfers, PortalsStatistics& statistics,
                  const Plan& plan, FlowControl& flow, Requests& requests,
                  Replies& replies)
      : flow_(flow),
        requests_(requests),
        replies_(replies),
        buffers_(interface, plan, statistics),
        fetches_(interface, op_slots, transfers) {}

  // Maps the memory for fetches, and appends the receive buffers.
  absl::Status Start() {
    const absl::Status status = fetches_.Start();
    return status.ok() ? buffers_.Start() : status;
  }
  // Sets the segment of an endpoint of this rank. Called before any rank sends
  // to the endpoint.
  void SetSegment(EndpointIndex endpoint, const Segment& segment) {
    segments_[endpoint] = segment;
  }

  // Serves a request if one has arrived and there is room for its reply.
  // next(event) takes an event of the queue of requests. Returns true if an
  // event was taken, or if a request with a fetched payload was served. Adds
  // the number of handlers that ran to `handled`.
  template <class Next>
  bool ServeOne(Next next, am::Dispatcher& dispatcher, unsigned& handled) {
    Replies::Serving serving;
    if (!replies_.Prepare(serving)) return false;
    if (fetches_.HasHere(am::Lane::kRequest)) [[unlikely]] {
      if (ServeFetched(serving, dispatcher)) {
        ++handled;
        replies_.Finish(serving);
        return true;
      }
    }
    ptl_event_t event;
    const bool taken = next(event);
    if (taken) {
      handled += Serve(event, serving, dispatcher);
    } else if (flow_.WantsToOpen()) [[unlikely]] {
      flow_.OpenGate(buffers_.HasRoom());
    }
    replies_.Finish(serving);
    return taken;
  }

  // Handles a put to the entry of replies. Returns the number of handlers that
  // ran. Without a dispatcher, this number is 0.
  unsigned TakeReply(const ptl_event_t& event, am::Dispatcher* dispatcher);

  // Handles the completion event of the get of a payload.
  void TakeFetched(const ptl_event_t& event) { fetches_.Complete(event); }
  // Ends the replies whose payload is here. If there is a dispatcher, runs the
  // handlers of these replies. Returns the number of handlers that ran.
  unsigned ServeFetchedReplies(am::Dispatcher* dispatcher) {
    return fetches_.HasHere(am::Lane::kReply) ? RunFetchedReplies(dispatcher)
                                              : 0;
  }
  // Drops the message whose get has failed.
  void ForgetFetch(void* user);

  void CatchUp() {
    buffers_.CatchUp();
    fetches_.CatchUp();
  }
  bool IsBehind() const {
    return buffers_.IsBehind() || fetches_.IsBehind() || flow_.WantsToOpen();
  }

 private:
  unsigned Serve(const ptl_event_t& event, Replies::Serving& serving,
                 am::Dispatcher& dispatcher);
  void RunRequest(Rank source, const Arrived& arrived,
                  Replies::Serving& serving, am::Dispatcher& dispatcher);
  bool ServeFetched(Replies::Serving& serving, am::Dispatcher& dispatcher);
  [[gnu::noinline]] unsigned RunFetchedReplies(am::Dispatcher* dispatcher);
  void EndReply(Fetches::Fetch& reply);
  void ServeOther(const ptl_event_t& event);
  Arrived Check(const ptl_event_t& event, am::Lane lane,
                const PortalsHeader& header, std::byte* body);
  std::optional<Arrived> Join(Rank source, am::Lane lane, uint32_t lid,
                              LongReassembly::Which which, const Arrived& half);

  FlowControl& flow_;
  Requests& requests_;
  Replies& replies_;
  std::array<Segment, kMaxEndpoints> segments_;
  RequestBuffers buffers_;
  alignas(kCacheLine) LongReassembly long_reassembly_;
  Fetches fetches_;
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_RECEIVER_H_
