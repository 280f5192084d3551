#include "conduits/portals/receiver.h"

#include "base/log.h"
#include "conduits/portals/inside.h"

namespace gasnet::portals_conduit {
namespace {

const char* NameOf(am::Lane lane) {
  return lane == am::Lane::kRequest ? "request" : "reply";
}

// Returns the place of the payload of a Long. The payload has arrived apart
// from the header.
Arrived PayloadOf(const ptl_event_t& event) {
  Arrived payload = {};
  payload.payload = static_cast<std::byte*>(event.start);
  payload.nbytes = event.mlength;
  return payload;
}

void RunHandler(am::Dispatcher& dispatcher, const am::Incoming& message) {
  const Outside outside;
  dispatcher.Route(message);
}

}  // namespace

std::optional<Arrived> PortalsReceiver::Join(Rank source, am::Lane lane,
                                             uint32_t lid,
                                             LongReassembly::Which which,
                                             const Arrived& half) {
  const char* why = nullptr;
  std::optional<Arrived> whole =
      long_reassembly_.Join({source, lane, lid}, which, half, why);
  if (why != nullptr) Malformed(source, NameOf(lane), why);
  return whole;
}

Arrived PortalsReceiver::Check(const ptl_event_t& event, am::Lane lane,
                               const PortalsHeader& header, std::byte* body) {
  Arrived arrived;
  if (const char* const why = Read(header, body, event.mlength,
                                   segments_[header.endpoint], arrived)) {
    Malformed(static_cast<Rank>(event.initiator.rank), NameOf(lane), why);
  }
  return arrived;
}

unsigned PortalsReceiver::Serve(const ptl_event_t& event,
                                Replies::Serving& serving,
                                am::Dispatcher& dispatcher) {
  if (event.type != PTL_EVENT_PUT) [[unlikely]] {
    ServeOther(event);
    return 0;
  }
  const auto source = static_cast<Rank>(event.initiator.rank);
  const PortalsHeader header =
      PortalsHeader::Of(event.match_bits, event.hdr_data);
  if (ConduitInterface::IsOf(event, PortalTable::kLongs)) {
    const std::optional<Arrived> whole =
        Join(source, am::Lane::kRequest, header.word,
             LongReassembly::Which::kPayload, PayloadOf(event));
    if (!whole.has_value()) return 0;
    RunRequest(source, *whole, serving, dispatcher);
    return 1;
  }
  Arrived arrived = Check(event, am::Lane::kRequest, header,
                          static_cast<std::byte*>(event.start));
  flow_.RequestArrived(source, header.credit);
  if (HasHalves(header)) {
    buffers_.Handled(event);
    const std::optional<Arrived> whole =
        Join(source, am::Lane::kRequest, header.word,
             LongReassembly::Which::kHeader, arrived);
    if (!whole.has_value()) return 0;
    RunRequest(source, *whole, serving, dispatcher);
    return 1;
  }
  if (header.is_fetched) [[unlikely]] {
    buffers_.Handled(event);
    fetches_.Add({source, am::Lane::kRequest, arrived});
    return 0;
  }
  RunRequest(source, arrived, serving, dispatcher);
  buffers_.Handled(event);
  return 1;
}

// Serves a request whose payload has been fetched. Returns true if it has
// served a request.
bool PortalsReceiver::ServeFetched(Replies::Serving& serving,
                                   am::Dispatcher& dispatcher) {
  Fetches::Fetch* const request = fetches_.TakeHere(am::Lane::kRequest);
  if (request == nullptr) return false;
  Fetches::PutInPlace(*request);
  RunRequest(request->source, request->arrived, serving, dispatcher);
  fetches_.Release(*request);
  return true;
}

unsigned PortalsReceiver::RunFetchedReplies(am::Dispatcher* dispatcher) {
  unsigned handled = 0;
  while (Fetches::Fetch* const reply = fetches_.TakeHere(am::Lane::kReply)) {
    if (dispatcher != nullptr) {
      Fetches::PutInPlace(*reply);
      RunHandler(*dispatcher,
                 IncomingOf(reply->source, am::Lane::kReply, reply->arrived));
      ++handled;
    }
    EndReply(*reply);
  }
  return handled;
}

void PortalsReceiver::EndReply(Fetches::Fetch& reply) {
  const PortalsHeader& header = reply.arrived.header;
  requests_.Finish(header.chunk, header.credit);
  fetches_.Release(reply);
}

void PortalsReceiver::ForgetFetch(void* user) {
  Fetches::Fetch* const reply = fetches_.Lost(user);
  if (reply != nullptr) EndReply(*reply);
}

void PortalsReceiver::RunRequest(Rank source, const Arrived& arrived,
                                 Replies::Serving& serving,
                                 am::Dispatcher& dispatcher) {
  replies_.Begin(serving, source, arrived.header);
  RunHandler(dispatcher, IncomingOf(source, am::Lane::kRequest, arrived));
  replies_.End();
}

void PortalsReceiver::ServeOther(const ptl_event_t& event) {
  if (event.type == PTL_EVENT_AUTO_UNLINK) return buffers_.Unlinked(event);
  if (event.type != PTL_EVENT_PT_DISABLED) {
    Fatal("Portals 4: event %d in the queue of requests",
          static_cast<int>(event.type));
  }
  flow_.Shut();
}

unsigned PortalsReceiver::TakeReply(const ptl_event_t& event,
                                    am::Dispatcher* dispatcher) {
  const auto source = static_cast<Rank>(event.initiator.rank);
  if (flow_.IsGivenUp(source)) [[unlikely]]
    return 0;
  PortalsHeader header = PortalsHeader::Of(event.match_bits, event.hdr_data);
  std::optional<Arrived> whole;
  if (ConduitInterface::IsOf(event, PortalTable::kReplyLongs)) {
    whole = Join(source, am::Lane::kReply, header.word,
                 LongReassembly::Which::kPayload, PayloadOf(event));
    if (!whole.has_value()) return 0;
    header = whole->header;
  } else {
    const std::optional<uint32_t> chunk =
        requests_.Claim(source, event.remote_offset);
    if (!chunk.has_value()) return 0;
    header.chunk = *chunk;
    if (header.form != Form::kNothing) {
      whole = Check(event, am::Lane::kReply, header, requests_.ChunkAt(*chunk));
      if (HasHalves(header)) {
        whole = Join(source, am::Lane::kReply, header.word,
                     LongReassembly::Which::kHeader, *whole);
        if (!whole.has_value()) return 0;
      }
    }
  }
  const bool runs = whole.has_value() && dispatcher != nullptr;
  if (runs && header.is_fetched) [[unlikely]] {
    fetches_.Add({source, am::Lane::kReply, *whole});
    return 0;
  }
  if (runs) {
    RunHandler(*dispatcher, IncomingOf(source, am::Lane::kReply, *whole));
  }
  requests_.Finish(header.chunk, header.credit);
  return runs;
}

}  // namespace gasnet::portals_conduit
