// Requests and replies on their way out.
#include <cstring>
#include <optional>

#include "base/log.h"
#include "conduits/portals/credits/credit_byte.h"
#include "conduits/portals/messages.h"
#include "core/am/payload.h"
#include "core/rma/journey.h"
#include "core/rma/rma.h"

namespace gasnet::portals {
namespace {

// Of a message in one piece.
Shape ShapeOf(am::Category category) {
  switch (category) {
    case am::Category::kShort:
      return Shape::kShort;
    case am::Category::kMedium:
      return Shape::kMedium;
    case am::Category::kLong:
      break;
  }
  return Shape::kPackedLong;
}

Header HeaderOf(const am::Message& message, Shape shape) {
  Header header;
  header.shape = shape;
  header.num_args = message.num_args;
  header.handler = message.handler;
  header.endpoint = message.endpoint;
  header.across = message.across;
  header.payload =
      HasPayload(shape) ? static_cast<uint16_t>(message.nbytes) : uint16_t{0};
  header.word =
      message.num_args > 0 ? static_cast<uint32_t>(message.args[0]) : 0;
  return header;
}

void Store(std::byte* at, uint64_t value) {
  std::memcpy(at, &value, sizeof value);
}

void WriteBody(std::byte* body, const BodyLayout& layout, const Header& header,
               const am::Message& message) {
  const unsigned first = FirstArgInBody(header.shape);
  if (message.num_args > first) {
    std::memcpy(body, message.args + first,
                (message.num_args - first) * sizeof(int32_t));
  }
  if (message.category == am::Category::kLong) {
    Store(body + layout.dest, reinterpret_cast<uintptr_t>(message.dest_addr));
    if (header.shape == Shape::kLong) Store(body + layout.size, message.nbytes);
  }
  if (header.payload > 0) am::WritePayload(body + layout.payload, message);
}

}  // namespace

am::Post Messages::Send(Rank peer, am::Lane lane, const am::Message& message) {
  const bool is_long = message.category == am::Category::kLong;
  if (is_long && !IsPacked(peer, message)) {
    return SendLong(peer, lane, message);
  }
  // Only debug builds look at what the client passes.
  if (message.nbytes > max_medium()) [[unlikely]] {
    Fatal("active message of %zu bytes to rank %u: the limit is %zu",
          message.nbytes, peer, max_medium());
  }
  const Header header = HeaderOf(message, ShapeOf(message.category));
  const Packet packet = {
      header, BodyLayout::Of(header.shape, message.num_args, header.payload),
      &message};
  if (lane == am::Lane::kReply) {
    SendReply(packet);
    return am::Post::kDone;
  }
  RequestSlot* const slot = TakeSlot(peer, packet.layout.end, false);
  if (slot == nullptr) return am::Post::kRetry;
  if (is_long) statistics_.Count(Counted::kPackedLongs);
  SendRequest(*slot, packet);
  return am::Post::kDone;
}

// A peer whose segment is not reached gets all of them so, and endpoints other
// than those of index 0 do.
bool Messages::IsPacked(Rank peer, const am::Message& message) const {
  return message.nbytes <= max_medium() &&
         (packed_long_ || message.nbytes == 0 || message.endpoint != 0 ||
          !transfers_.Reaches(peer));
}

// Both halves at once. Done when the source may be reused: of a Long that stays
// at once, else when the payload is in place, since a payload that is refused
// is sent again from there.
am::Post Messages::SendLong(Rank peer, am::Lane lane,
                            const am::Message& message) {
  am::Journey* const journey = message.journey;
  if (journey != nullptr && journey->held != nullptr) {
    return journey->complete.IsOver() ? am::Post::kDone : am::Post::kRetry;
  }
  if (journey == nullptr && !message.stays) return am::Post::kRetry;
  const bool is_reached = message.endpoint == 0 && transfers_.Reaches(peer);
  if (!is_reached || message.nbytes > interface_.most_bytes()) [[unlikely]] {
    Fatal("Long active message of %zu bytes to rank %u: the limit is %zu",
          message.nbytes, peer,
          is_reached ? interface_.most_bytes() : max_medium());
  }
  if (!transfers_.GoesWhole(message.payload, message.nbytes)) [[unlikely]] {
    return SendLongInParts(peer, lane, message);
  }
  Packet packet = {HeaderOf(message, Shape::kLong),
                   BodyLayout::Of(Shape::kLong, message.num_args, 0), &message};
  if (!TakeTicketForPayload(lane)) return am::Post::kRetry;
  RequestSlot* slot = nullptr;
  if (lane == am::Lane::kRequest) {
    slot = TakeSlot(peer, packet.layout.end, true);
    if (slot == nullptr) {
      tickets_.Give(1);
      return am::Post::kRetry;
    }
  }
  statistics_.Count(Counted::kLongs);
  packet.header.word = next_lid_.fetch_add(1, std::memory_order_relaxed);
  rma::UnderWay& complete = message.stays ? unawaited_ : journey->complete;
  PostPayload(peer, lane, message, packet.header.word, complete);
  if (lane == am::Lane::kRequest) {
    SendRequest(*slot, packet);
  } else {
    SendReply(packet);
  }
  if (message.stays) return am::Post::kDone;
  journey->held = this;
  return complete.IsOver() ? am::Post::kDone : am::Post::kRetry;
}

// Where no descriptor covers all of the payload: it goes ahead as puts, which
// are never refused, and the header when all of it is in place.
am::Post Messages::SendLongInParts(Rank peer, am::Lane lane,
                                   const am::Message& message) {
  am::Journey* const journey = message.journey;
  if (journey == nullptr || !PostParts(peer, lane, message) ||
      !journey->complete.IsOver()) {
    return am::Post::kRetry;
  }
  Packet packet = {HeaderOf(message, Shape::kLong),
                   BodyLayout::Of(Shape::kLong, message.num_args, 0), &message};
  packet.header.form = Form::kInPlace;
  if (lane == am::Lane::kRequest) {
    RequestSlot* const slot = TakeSlot(peer, packet.layout.end, false);
    if (slot == nullptr) return am::Post::kRetry;
    SendRequest(*slot, packet);
  } else {
    SendReply(packet);
  }
  statistics_.Count(Counted::kLongs);
  return am::Post::kDone;
}

// Whether all of them are posted now.
bool Messages::PostParts(Rank peer, am::Lane lane, const am::Message& message) {
  am::Journey& journey = *message.journey;
  while (journey.posted < message.nbytes) {
    if (!TakeTicketForPayload(lane)) return false;
    const rma::Posted part = transfers_.PostPart(
        {peer, static_cast<std::byte*>(message.dest_addr) + journey.posted,
         static_cast<const std::byte*>(message.payload) + journey.posted,
         message.nbytes - journey.posted, &journey.complete, nullptr});
    if (part.state == rma::PostState::kRetry) {
      GiveTicketForPayload(lane);
      return false;
    }
    journey.posted += part.nbytes;
  }
  return true;
}

void Messages::GiveTicketForPayload(am::Lane lane) {
  if (lane == am::Lane::kRequest) return tickets_.Give(1);
  ++serving_->tickets;
}

// A thread that serves a request has one in hand, or waits for another.
bool Messages::TakeTicketForPayload(am::Lane lane) {
  if (lane == am::Lane::kRequest) return tickets_.Take();
  if (serving_->tickets > 1) {
    --serving_->tickets;
    return true;
  }
  return tickets_.TakeForReply(1);
}

void Messages::PostPayload(Rank peer, am::Lane lane, const am::Message& message,
                           uint32_t lid, rma::UnderWay& complete) {
  const Header header = {.form = Form::kLongData, .word = lid};
  transfers_.PostLong(
      {peer, message.dest_addr, message.payload, message.nbytes, &complete,
       nullptr},
      lane == am::Lane::kRequest ? Table::kLongs : Table::kReplyLongs,
      header.MatchBits(), header.HeaderData());
}

// All that a request needs, or nothing. Credits last: what they missed is
// noted.
Messages::RequestSlot* Messages::TakeSlot(Rank peer, size_t bytes,
                                          bool data_go_apart) {
  if (pauses_.IsPaused(peer)) [[unlikely]] {
    statistics_.Starve(Counted::kPaused, peer);
    return nullptr;
  }
  if (!tickets_.Take()) {
    statistics_.Note(Counted::kNoTicket);
    return nullptr;
  }
  RequestSlot* const slot = requests_.Take();
  if (slot == nullptr) {
    statistics_.Note(Counted::kNoChunk);
    tickets_.Give(1);
    return nullptr;
  }
  std::optional<uint8_t> credit;
  {
    const thread::Holder hold(credit_lock_);
    credit = credits_.Take(peer, credits::CreditsFor(bytes, data_go_apart));
  }
  if (credit.has_value()) [[likely]] {
    slot->peer.store(peer, std::memory_order_relaxed);
    slot->credit = *credit;
    return slot;
  }
  statistics_.Starve(Counted::kNoCredit, peer);
  requests_.Give(*slot);
  tickets_.Give(1);
  return nullptr;
}

void Messages::SendRequest(RequestSlot& slot, Packet packet) {
  statistics_.Count(Counted::kRequests);
  const size_t index = requests_.IndexOf(slot);
  packet.header.chunk = static_cast<uint32_t>(index);
  packet.header.credit = slot.credit;
  const Outgoing outgoing = {
      .bytes = packet.layout.end,
      .target = {.peer = slot.Peer(),
                 .table = Table::kRequests,
                 .match_bits = packet.header.MatchBits(),
                 .header_data = packet.header.HeaderData()}};
  slot.outgoing = outgoing;
  WriteBody(request_chunks_ + index * chunk_, packet.layout, packet.header,
            *packet.message);
  PutRequest(slot, outgoing, slot.Begin());
}

// Reads nothing of the slot, whose use has begun: it may be given up on
// meanwhile, and be another request's. Then this one goes to a peer that has
// left, which takes nothing in.
void Messages::PutRequest(RequestSlot& slot, Outgoing outgoing, uint32_t use) {
  interface_.Put(
      Descriptor::kQuiet, request_chunks_ + requests_.IndexOf(slot) * chunk_,
      outgoing.bytes, outgoing.target, Tag(slot, Kind::kRequest, use / 2));
}

// Of the request whose handler this thread runs.
void Messages::SendReply(Packet packet) {
  Serving& serving = *serving_;
  // The sender of the request gives up on this rank, which has left, and may
  // have made its chunk another request's.
  if (servers_.load(std::memory_order_relaxed) == 0) [[unlikely]]
    return;
  ReplySlot& slot = *serving.slot;
  slot.peer = serving.source;
  serving.replied = true;
  packet.header.chunk = serving.chunk;
  packet.header.credit = CreditOfReply(serving.source, serving.credit);
  std::byte* const body = reply_chunks_ + replies_.IndexOf(slot) * chunk_;
  if (packet.message != nullptr) {
    WriteBody(body, packet.layout, packet.header, *packet.message);
  }
  const size_t bytes = packet.layout.end;
  const bool is_volatile = bytes <= interface_.most_volatile();
  if (!is_volatile) {
    // Both are the put's now.
    serving.slot = nullptr;
    --serving.tickets;
  }
  interface_.Put(is_volatile ? Descriptor::kVolatileQuiet : Descriptor::kPut,
                 body, bytes,
                 {.peer = serving.source,
                  .table = Table::kReplies,
                  .offset = uint64_t{serving.chunk} * chunk_,
                  .match_bits = packet.header.MatchBits(),
                  .header_data = packet.header.HeaderData()},
                 is_volatile ? TagRank(serving.source, Kind::kQuietReply)
                             : Tag(slot, Kind::kReply));
}

void Messages::ReplySent(const ptl_event_t& event) {
  replies_.Give(Untag<ReplySlot>(event.user_ptr));
  tickets_.Give(1);
}

}  // namespace gasnet::portals
