#include "conduits/portals/replies.h"

namespace gasnet::portals_conduit {

constinit thread_local Replies::Serving* Replies::serving_ = nullptr;

void Replies::End() {
  if (serving_->replied) {
    statistics_.Count(Counted::kReplies);
  } else {
    statistics_.Count(Counted::kNothings);
    Send(PortalsPacket::Nothing());
  }
  serving_ = nullptr;
}

void Replies::Send(const PortalsPacket& packet) {
  Serving& serving = *serving_;
  // This rank is leaving and sends no reply. The sender of the request gives up
  // on this rank. It may have put another request into the chunk by now.
  if (servers_.load(std::memory_order_relaxed) == 0) [[unlikely]]
    return;
  Slot& slot = *serving.slot;
  slot.peer = serving.source;
  serving.replied = true;
  PortalsHeader header = packet.header;
  header.chunk = serving.chunk;
  header.credit = flow_.ByteOfReply(serving.source, serving.credit);
  std::byte* const body = chunks_ + slots_.IndexOf(slot) * chunk_;
  packet.WriteBody(body);
  const size_t bytes = packet.bytes();
  const bool is_volatile = bytes <= interface_.most_volatile();
  if (!is_volatile) {
    // The chunk and the op slot belong to the put now.
    serving.slot = nullptr;
    --serving.op_slots;
  }
  interface_.Put(is_volatile ? Descriptor::kVolatileQuiet : Descriptor::kPut,
                 body, bytes,
                 {.peer = serving.source,
                  .table = PortalTable::kReplies,
                  .offset = uint64_t{serving.chunk} * chunk_,
                  .match_bits = header.MatchBits(),
                  .header_data = header.HeaderData()},
                 is_volatile ? TagRank(serving.source, TagKind::kQuietReply)
                             : Tag(slot, TagKind::kReply));
}

bool Replies::TakeOpSlot() {
  if (serving_->op_slots > 1) {
    --serving_->op_slots;
    return true;
  }
  return op_slots_.TakeForReply(1);
}

void Replies::Sent(const ptl_event_t& event) {
  slots_.Give(Untag<Slot>(event.user_ptr));
  op_slots_.Give(1);
}

}  // namespace gasnet::portals_conduit
