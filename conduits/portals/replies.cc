#include "conduits/portals/replies.h"

namespace gasnet::portals {

constinit thread_local Replies::Serving* Replies::serving_ = nullptr;

void Replies::End() {
  if (serving_->replied) {
    statistics_.Count(Counted::kReplies);
  } else {
    statistics_.Count(Counted::kNothings);
    Send(Packet::Nothing());
  }
  serving_ = nullptr;
}

void Replies::Send(const Packet& packet) {
  Serving& serving = *serving_;
  // This rank is leaving. The sender of the request gives up on this rank, and
  // may have put another request into the chunk by now.
  if (servers_.load(std::memory_order_relaxed) == 0) [[unlikely]]
    return;
  Slot& slot = *serving.slot;
  slot.peer = serving.source;
  serving.replied = true;
  Header header = packet.header;
  header.chunk = serving.chunk;
  header.credit = flow_.ByteOfReply(serving.source, serving.credit);
  std::byte* const body = chunks_ + slots_.IndexOf(slot) * chunk_;
  packet.WriteBody(body);
  const size_t bytes = packet.bytes();
  const bool is_volatile = bytes <= interface_.most_volatile();
  if (!is_volatile) {
    // The chunk and the ticket belong to the put now.
    serving.slot = nullptr;
    --serving.tickets;
  }
  interface_.Put(is_volatile ? Descriptor::kVolatileQuiet : Descriptor::kPut,
                 body, bytes,
                 {.peer = serving.source,
                  .table = Table::kReplies,
                  .offset = uint64_t{serving.chunk} * chunk_,
                  .match_bits = header.MatchBits(),
                  .header_data = header.HeaderData()},
                 is_volatile ? TagRank(serving.source, Kind::kQuietReply)
                             : Tag(slot, Kind::kReply));
}

bool Replies::TakeTicket() {
  if (serving_->tickets > 1) {
    --serving_->tickets;
    return true;
  }
  return tickets_.TakeForReply(1);
}

void Replies::Sent(const ptl_event_t& event) {
  slots_.Give(Untag<Slot>(event.user_ptr));
  tickets_.Give(1);
}

}  // namespace gasnet::portals
