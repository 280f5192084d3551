#include "conduits/portals/messages.h"

#include <array>
#include <cstring>

#include "base/log.h"
#include "conduits/portals/memory.h"
#include "core/am/payload.h"
#include "core/rma/journey.h"
#include "core/rma/rma.h"

namespace gasnet::portals {
namespace {

[[noreturn, gnu::cold, gnu::noinline]] void Malformed(Rank source,
                                                      am::Lane lane,
                                                      const char* why) {
  Fatal("malformed %s from rank %u: %s",
        lane == am::Lane::kRequest ? "request" : "reply", source, why);
}

Shape ShapeOf(const am::Message& message, bool packed) {
  switch (message.category) {
    case am::Category::kShort:
      return Shape::kShort;
    case am::Category::kMedium:
      return Shape::kMedium;
    case am::Category::kLong:
      break;
  }
  return packed ? Shape::kPackedLong : Shape::kLong;
}

Header HeaderOf(const am::Message& message, Shape shape) {
  const bool has_payload = shape == Shape::kMedium || shape == Shape::kPackedLong;
  Header header;
  header.shape = shape;
  header.num_args = message.num_args;
  header.handler = message.handler;
  header.payload =
      has_payload ? static_cast<uint16_t>(message.nbytes) : uint16_t{0};
  header.word =
      message.num_args > 0 ? static_cast<uint32_t>(message.args[0]) : 0;
  return header;
}

void Store(std::byte* at, uint64_t value) {
  std::memcpy(at, &value, sizeof value);
}
uint64_t Load(const std::byte* at) {
  uint64_t value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

void WriteBody(std::byte* body, const BodyLayout& layout, const Header& header,
               const am::Message& message) {
  if (message.num_args > 1) {
    std::memcpy(body, message.args + 1,
                (message.num_args - 1) * sizeof(int32_t));
  }
  if (message.category == am::Category::kLong) {
    Store(body + layout.dest, reinterpret_cast<uintptr_t>(message.dest_addr));
    if (header.shape == Shape::kLong) Store(body + layout.size, message.nbytes);
  }
  if (header.payload > 0) am::WritePayload(body + layout.payload, message);
}

}  // namespace

constinit thread_local Messages::Serving* Messages::serving_ = nullptr;

Messages::Messages(Interface& interface, Tickets& tickets, Transfers& transfers,
                   const Plan& plan, const Settings& settings, Rank ranks)
    : interface_(interface),
      tickets_(tickets),
      transfers_(transfers),
      chunk_(plan.chunk),
      packed_long_(settings.packed_long),
      credits_(ranks, plan.credits_each, settings.flow_control),
      buffers_(interface, plan),
      requests_(settings.sb_chunks),
      replies_(settings.rpl_chunks) {}

Status Messages::Start() {
  const size_t request_bytes = requests_.size() * chunk_;
  const StatusOr<std::byte*> memory =
      MapBuffers(request_bytes + replies_.size() * chunk_);
  if (!memory.ok()) return memory.status();
  request_chunks_ = *memory;
  reply_chunks_ = *memory + request_bytes;
  Status status = interface_.Append({.table = Table::kReplies,
                                     .start = request_chunks_,
                                     .length = request_bytes,
                                     .options = PTL_ME_OP_PUT});
  if (status.ok()) status = buffers_.Start();
  return status;
}

am::Post Messages::Send(Rank peer, am::Lane lane, const am::Message& message) {
  if (message.category != am::Category::kLong || message.in_place ||
      IsPacked(peer, message)) {
    return SendWhole(peer, lane, message);
  }
  return SendLong(peer, lane, message);
}

// A peer whose segment is not reached gets all of them so.
bool Messages::IsPacked(Rank peer, const am::Message& message) const {
  return message.nbytes <= max_medium() &&
         (packed_long_ || message.nbytes == 0 || !transfers_.Reaches(peer));
}

am::Post Messages::SendWhole(Rank peer, am::Lane lane,
                             const am::Message& message) {
  const Header header =
      HeaderOf(message, ShapeOf(message, /*packed=*/!message.in_place));
  const BodyLayout layout =
      BodyLayout::Of(header.shape, message.num_args, header.payload);
  // Only debug builds look at what the client passes.
  if (message.nbytes > max_medium() && !message.in_place) [[unlikely]] {
    Fatal("active message of %zu bytes to rank %u: the limit of a Medium is "
          "%zu",
          message.nbytes, peer, max_medium());
  }
  if (lane == am::Lane::kRequest) {
    return SendRequest(peer, header, layout, message);
  }
  SendReply(header, layout, &message);
  return am::Post::kDone;
}

// The payload ahead; then the header.
am::Post Messages::SendLong(Rank peer, am::Lane lane,
                            const am::Message& message) {
  if (message.journey == nullptr) return am::Post::kRetry;
  if (!PostPayload(peer, lane, message) ||
      !message.journey->complete.IsOver()) {
    return am::Post::kRetry;
  }
  am::Message header = message;
  header.in_place = true;
  return SendWhole(peer, lane, header);
}

// Whether all of it is posted now. Who replies has a ticket for it, or waits
// until it gets another.
bool Messages::PostPayload(Rank peer, am::Lane lane,
                           const am::Message& message) {
  size_t& posted = message.journey->posted;
  while (posted < message.nbytes) {
    if (lane == am::Lane::kRequest) {
      if (!tickets_.Take()) return false;
    } else if (serving_->tickets > 1) {
      --serving_->tickets;
    } else if (!tickets_.TakeForReply(1)) {
      return false;
    }
    posted += transfers_
                  .PostWithTicket(rma::Put{
                      peer, static_cast<std::byte*>(message.dest_addr) + posted,
                      static_cast<const std::byte*>(message.payload) + posted,
                      message.nbytes - posted, &message.journey->complete,
                      nullptr})
                  .nbytes;
  }
  return true;
}

// All that a request needs, or nothing.
Messages::RequestSlot* Messages::TakeSlot(Rank peer, uint8_t credits) {
  if (!credits_.Take(peer, credits)) return nullptr;
  if (tickets_.Take()) {
    if (RequestSlot* const slot = requests_.Take()) return slot;
    tickets_.Give(1);
  }
  credits_.GiveBack(peer, credits);
  return nullptr;
}

am::Post Messages::SendRequest(Rank peer, Header header,
                               const BodyLayout& layout,
                               const am::Message& message) {
  const uint8_t credits = CreditsFor(layout.end);
  RequestSlot* const slot = TakeSlot(peer, credits);
  if (slot == nullptr) return am::Post::kRetry;
  const size_t index = requests_.IndexOf(*slot);
  slot->peer = peer;
  slot->credits = credits;
  slot->in_flight.store(true, std::memory_order_relaxed);
  header.chunk = static_cast<uint32_t>(index);
  header.credit = credits;
  std::byte* const body = request_chunks_ + index * chunk_;
  WriteBody(body, layout, header, message);
  interface_.Put(Descriptor::kQuiet, body, layout.end,
                 {.peer = peer,
                  .table = Table::kRequests,
                  .match_bits = header.MatchBits(),
                  .header_data = header.HeaderData()},
                 Tag(*slot, Kind::kRequest));
  return am::Post::kDone;
}

// Of the request whose handler this thread runs. message: null, it sends none.
void Messages::SendReply(Header header, const BodyLayout& layout,
                         const am::Message* message) {
  Serving& serving = *serving_;
  ReplySlot& slot = *serving.slot;
  slot.peer = serving.source;
  serving.replied = true;
  header.chunk = serving.chunk;
  header.credit = serving.credits;
  std::byte* const body = reply_chunks_ + replies_.IndexOf(slot) * chunk_;
  if (message != nullptr) WriteBody(body, layout, header, *message);
  const bool is_volatile = layout.end <= interface_.most_volatile();
  if (!is_volatile) {
    // Both are the put's now.
    serving.slot = nullptr;
    --serving.tickets;
  }
  interface_.Put(is_volatile ? Descriptor::kVolatileQuiet : Descriptor::kPut,
                 body, layout.end,
                 {.peer = serving.source,
                  .table = Table::kReplies,
                  .offset = uint64_t{serving.chunk} * chunk_,
                  .match_bits = header.MatchBits(),
                  .header_data = header.HeaderData()},
                 Tag(slot, Kind::kReply));
}

void Messages::ReplySent(const ptl_event_t& event) {
  replies_.Give(Untag<ReplySlot>(event.user_ptr));
  tickets_.Give(1);
}

unsigned Messages::Serve(const ptl_event_t& event, Serving& serving,
                         am::Dispatcher& dispatcher) {
  if (event.type == PTL_EVENT_AUTO_UNLINK) {
    buffers_.Unlinked(event);
    return 0;
  }
  if (event.type != PTL_EVENT_PUT) [[unlikely]] {
    Fatal("Portals 4: event %d in the queue of requests",
          static_cast<int>(event.type));
  }
  const Header header = Header::Of(event.match_bits, event.hdr_data);
  serving.source = static_cast<Rank>(event.initiator.rank);
  serving.chunk = header.chunk;
  serving.credits = header.credit;
  serving_ = &serving;
  Deliver(serving.source, am::Lane::kRequest, header,
          static_cast<std::byte*>(event.start), event.mlength, dispatcher);
  if (!serving.replied) {
    SendReply({.form = Form::kNothing}, BodyLayout(), nullptr);
  }
  serving_ = nullptr;
  buffers_.Handled(event);
  return 1;
}

unsigned Messages::TakeReply(const ptl_event_t& event,
                             am::Dispatcher* dispatcher) {
  const auto source = static_cast<Rank>(event.initiator.rank);
  const size_t index = event.remote_offset / chunk_;
  if (event.remote_offset % chunk_ != 0 || index >= requests_.size()) {
    Malformed(source, am::Lane::kReply, "it is to no chunk");
  }
  RequestSlot& slot = requests_.at(index);
  if (!slot.in_flight.load(std::memory_order_relaxed) || slot.peer != source) {
    Malformed(source, am::Lane::kReply, "nobody has sent it a request there");
  }
  const Header header = Header::Of(event.match_bits, event.hdr_data);
  const bool runs = header.form != Form::kNothing && dispatcher != nullptr;
  if (runs) {
    Deliver(source, am::Lane::kReply, header,
            request_chunks_ + index * chunk_, event.mlength, *dispatcher);
  }
  Release(slot);
  return runs;
}

void Messages::Release(RequestSlot& slot) {
  credits_.GiveBack(slot.peer, slot.credits);
  slot.in_flight.store(false, std::memory_order_relaxed);
  requests_.Give(slot);
  tickets_.Give(1);
}

// Checks what has come, puts the payload of a packed Long in its place, and runs
// the handler.
void Messages::Deliver(Rank source, am::Lane lane, const Header& header,
                       std::byte* body, size_t nbytes,
                       am::Dispatcher& dispatcher) {
  if (header.form != Form::kMessage) {
    Malformed(source, lane, "it is no message");
  }
  if (header.num_args > am::kMaxArgs) {
    Malformed(source, lane, "it has more than 16 arguments");
  }
  const BodyLayout layout =
      BodyLayout::Of(header.shape, header.num_args, header.payload);
  if (layout.end != nbytes || nbytes > chunk_) {
    Malformed(source, lane, "it is as long as none");
  }
  std::array<int32_t, am::kMaxArgs> args;
  args[0] = static_cast<int32_t>(header.word);
  if (header.num_args > 1) {
    std::memcpy(args.data() + 1, body,
                (header.num_args - 1) * sizeof(int32_t));
  }
  am::Incoming incoming = {.source = source,
                           .lane = lane,
                           .handler = header.handler,
                           .num_args = header.num_args,
                           .args = args.data()};
  if (header.shape == Shape::kMedium) {
    incoming.category = am::Category::kMedium;
    incoming.payload = body + layout.payload;
    incoming.nbytes = header.payload;
  } else if (header.shape != Shape::kShort) {
    const bool packed = header.shape == Shape::kPackedLong;
    incoming.category = am::Category::kLong;
    incoming.nbytes = packed ? header.payload : Load(body + layout.size);
    incoming.payload = reinterpret_cast<void*>(Load(body + layout.dest));
    if (incoming.nbytes > 0 &&
        !segment_.Contains(incoming.payload, incoming.nbytes)) {
      Malformed(source, lane, "its payload is outside of this rank's segment");
    }
    if (header.payload > 0) {
      std::memcpy(incoming.payload, body + layout.payload, header.payload);
    }
  }
  dispatcher.Deliver(incoming);
}

Rank Messages::PeerOf(void* user, Kind kind) {
  return kind == Kind::kRequest ? Untag<RequestSlot>(user).peer
                                : Untag<ReplySlot>(user).peer;
}

}  // namespace gasnet::portals
