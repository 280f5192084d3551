// Requests and replies that have come.
#include <optional>

#include "base/log.h"
#include "conduits/portals/inside.h"
#include "conduits/portals/messages.h"

namespace gasnet::portals {
namespace {

const char* NameOf(am::Lane lane) {
  return lane == am::Lane::kRequest ? "request" : "reply";
}

// Where the payload of a Long lies that has come by itself.
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

std::optional<Arrived> Messages::Join(Rank source, am::Lane lane, uint32_t lid,
                                      Halves::Which which,
                                      const Arrived& half) {
  const char* why = nullptr;
  std::optional<Arrived> whole =
      halves_.Join({source, lane, lid}, which, half, why);
  if (why != nullptr) Malformed(source, NameOf(lane), why);
  return whole;
}

Arrived Messages::Check(const ptl_event_t& event, am::Lane lane,
                        const Header& header, std::byte* body) {
  Arrived arrived;
  if (const char* const why = Read(header, body, event.mlength,
                                   segments_[header.endpoint], arrived)) {
    Malformed(static_cast<Rank>(event.initiator.rank), NameOf(lane), why);
  }
  return arrived;
}

unsigned Messages::Serve(const ptl_event_t& event, Serving& serving,
                         am::Dispatcher& dispatcher) {
  if (event.type != PTL_EVENT_PUT) [[unlikely]] {
    ServeOther(event);
    return 0;
  }
  const auto source = static_cast<Rank>(event.initiator.rank);
  const Header header = Header::Of(event.match_bits, event.hdr_data);
  if (Interface::IsOf(event, Table::kLongs)) {
    const std::optional<Arrived> whole =
        Join(source, am::Lane::kRequest, header.word, Halves::Which::kPayload,
             PayloadOf(event));
    if (!whole.has_value()) return 0;
    RunRequest(source, *whole, serving, dispatcher);
    return 1;
  }
  Arrived arrived = Check(event, am::Lane::kRequest, header,
                          static_cast<std::byte*>(event.start));
  NoteRequest(source, header.credit);
  if (HasHalves(header)) {
    buffers_.Handled(event);
    const std::optional<Arrived> whole =
        Join(source, am::Lane::kRequest, header.word, Halves::Which::kHeader,
             arrived);
    if (!whole.has_value()) return 0;
    RunRequest(source, *whole, serving, dispatcher);
    return 1;
  }
  RunRequest(source, arrived, serving, dispatcher);
  buffers_.Handled(event);
  return 1;
}

void Messages::NoteRequest(Rank source, uint8_t credit) {
  const thread::Holder hold(credit_lock_);
  if (const char* const why = credits_.RequestArrived(source, credit)) {
    Malformed(source, NameOf(am::Lane::kRequest), why);
  }
}

void Messages::RunRequest(Rank source, const Arrived& arrived, Serving& serving,
                          am::Dispatcher& dispatcher) {
  serving.source = source;
  serving.chunk = arrived.header.chunk;
  serving.credit = arrived.header.credit;
  serving_ = &serving;
  RunHandler(dispatcher, IncomingOf(source, am::Lane::kRequest, arrived));
  if (serving.replied) {
    statistics_.Count(Counted::kReplies);
  } else {
    statistics_.Count(Counted::kNothings);
    SendReply({{.form = Form::kNothing}, {}, nullptr});
  }
  serving_ = nullptr;
}

void Messages::ServeOther(const ptl_event_t& event) {
  if (event.type == PTL_EVENT_AUTO_UNLINK) return buffers_.Unlinked(event);
  if (event.type != PTL_EVENT_PT_DISABLED) {
    Fatal("Portals 4: event %d in the queue of requests",
          static_cast<int>(event.type));
  }
  statistics_.Note(Counted::kShut);
  gate_.Shut();
}

// The chunk of a request of ours that a reply is to, which is the caller's from
// then on; null: its sender was given up on.
Messages::RequestSlot* Messages::SlotOfReply(Rank source, uint64_t offset) {
  const size_t index = offset / chunk_;
  if (offset % chunk_ != 0 || index >= requests_.size()) {
    Malformed(source, NameOf(am::Lane::kReply), "it is to no chunk");
  }
  RequestSlot& slot = requests_.at(index);
  const uint32_t use = slot.Use();
  if (slot.Peer() == source && slot.Claim(use)) return &slot;
  if (pauses_.IsClosed(source)) return nullptr;
  Malformed(source, NameOf(am::Lane::kReply),
            "nobody has sent it a request there");
}

unsigned Messages::TakeReply(const ptl_event_t& event,
                             am::Dispatcher* dispatcher) {
  const auto source = static_cast<Rank>(event.initiator.rank);
  if (pauses_.IsClosed(source)) [[unlikely]]
    return 0;
  Header header = Header::Of(event.match_bits, event.hdr_data);
  std::optional<Arrived> whole;
  if (Interface::IsOf(event, Table::kReplyLongs)) {
    whole = Join(source, am::Lane::kReply, header.word, Halves::Which::kPayload,
                 PayloadOf(event));
    if (!whole.has_value()) return 0;
    header = whole->header;
  } else {
    RequestSlot* const slot = SlotOfReply(source, event.remote_offset);
    if (slot == nullptr) return 0;
    const size_t index = requests_.IndexOf(*slot);
    header.chunk = static_cast<uint32_t>(index);
    if (header.form != Form::kNothing) {
      whole = Check(event, am::Lane::kReply, header,
                    request_chunks_ + index * chunk_);
      if (HasHalves(header)) {
        whole = Join(source, am::Lane::kReply, header.word,
                     Halves::Which::kHeader, *whole);
        if (!whole.has_value()) return 0;
      }
    }
  }
  const bool runs = whole.has_value() && dispatcher != nullptr;
  if (runs) {
    RunHandler(*dispatcher, IncomingOf(source, am::Lane::kReply, *whole));
  }
  FinishRequest(requests_.at(header.chunk), header.credit);
  return runs;
}

void Messages::FinishRequest(RequestSlot& slot, uint8_t credit) {
  {
    const thread::Holder hold(credit_lock_);
    if (const char* const why =
            credits_.ReplyArrived(slot.Peer(), slot.credit, credit)) {
      Malformed(slot.Peer(), NameOf(am::Lane::kReply), why);
    }
  }
  Release(slot);
}

}  // namespace gasnet::portals
