#include "conduits/portals/requests.h"

#include "conduits/portals/arrived.h"

namespace gasnet::portals_conduit {

absl::Status Requests::Start(std::byte* chunks) {
  chunks_ = chunks;
  return interface_.Append({.table = PortalTable::kReplies,
                            .start = chunks_,
                            .length = bytes(),
                            .options = PTL_ME_OP_PUT});
}

// Takes the resources of a request. Takes credits last: if credits are missing,
// the flow control records their number for the next request.
RequestSlot* Requests::Take(Rank peer, size_t bytes, bool data_go_apart) {
  if (flow_.IsPaused(peer)) [[unlikely]] {
    statistics_.Starve(Counted::kPaused, peer);
    return nullptr;
  }
  if (!op_slots_.Take()) {
    statistics_.Note(Counted::kNoOpSlot);
    return nullptr;
  }
  RequestSlot* const slot = slots_.Take();
  if (slot == nullptr) {
    statistics_.Note(Counted::kNoChunk);
    op_slots_.Give(1);
    return nullptr;
  }
  const std::optional<uint8_t> credit = flow_.Take(peer, bytes, data_go_apart);
  if (credit.has_value()) [[likely]] {
    slot->SetOut(peer, *credit);
    return slot;
  }
  statistics_.Starve(Counted::kNoCredit, peer);
  Release(*slot);
  return nullptr;
}

void Requests::Send(RequestSlot& slot, const PortalsPacket& packet) {
  statistics_.Count(Counted::kRequests);
  PortalsHeader header = packet.header;
  header.chunk = static_cast<uint32_t>(slots_.IndexOf(slot));
  header.credit = slot.credit();
  packet.WriteBody(ChunkOf(slot));
  const RequestPut put = {.bytes = packet.bytes(),
                          .match_bits = header.MatchBits(),
                          .header_data = header.HeaderData()};
  const Rank peer = slot.Peer();
  Put(slot, peer, put, slot.Begin(put));
}

// Puts the request. Reads no field of the slot: the use has begun, and may
// already be over.
void Requests::Put(RequestSlot& slot, Rank peer, const RequestPut& put,
                   uint32_t use) {
  interface_.Put(Descriptor::kQuiet, ChunkOf(slot), put.bytes,
                 {.peer = peer,
                  .table = PortalTable::kRequests,
                  .match_bits = put.match_bits,
                  .header_data = put.header_data},
                 slot.UserOf(use));
}

void Requests::Release(RequestSlot& slot) {
  slots_.Give(slot);
  op_slots_.Give(1);
}

std::optional<uint32_t> Requests::Claim(Rank source, uint64_t offset) {
  const size_t index = offset / chunk_;
  if (offset % chunk_ != 0 || index >= slots_.size()) {
    Malformed(source, "reply", "it goes to no chunk");
  }
  RequestSlot& slot = slots_.at(index);
  const uint32_t use = slot.Use();
  if (slot.Peer() == source && slot.Claim(use)) {
    return static_cast<uint32_t>(index);
  }
  if (flow_.IsGivenUp(source)) return std::nullopt;
  Malformed(source, "reply", "no request of that chunk went to its sender");
}

void Requests::Finish(uint32_t index, uint8_t credit) {
  RequestSlot& slot = slots_.at(index);
  flow_.ReplyArrived(slot.Peer(), slot.credit(), credit);
  Release(slot);
}

void Requests::Lost(const ptl_event_t& event) {
  auto& slot = Untag<RequestSlot>(event.user_ptr);
  if (slot.Claim(RequestSlot::UseOf(event.user_ptr))) Release(slot);
}

// Handles a refusal. The use may end between the two reads of the slot, and the
// next use may have another peer. The other peer is then paused without need,
// but ends this pause at once.
void Requests::Refused(const ptl_event_t& event) {
  void* const user = event.user_ptr;
  const bool is_request = KindOf(user) == TagKind::kRequest;
  if (is_request && RequestSlot::UseOf(user) == 0) return;
  flow_.Refused(is_request ? PeerOf(user) : PortalsTransfers::PeerOf(user),
                user);
}

void Requests::SendAgain(Rank peer, const std::vector<void*>& users) {
  for (void* const user : users) {
    statistics_.Note(Counted::kResent);
    if (KindOf(user) == TagKind::kTransfer) {
      transfers_.PostAgain(user);
      continue;
    }
    const uint32_t use = RequestSlot::UseOf(user);
    if (use == 0) continue;
    auto& slot = Untag<RequestSlot>(user);
    const std::optional<RequestPut> put = slot.Kept(use);
    if (put.has_value()) Put(slot, peer, *put, use);
  }
}

// Gives up on the peer. From then on this rank sends no request to the peer,
// and ignores replies from the peer.
void Requests::GiveUp(Rank peer) {
  for (void* const user : flow_.GiveUp(peer)) {
    if (KindOf(user) == TagKind::kTransfer) transfers_.Abandon(user);
  }
}

void Requests::ReleaseGivenUp() {
  for (size_t i = 0; i < slots_.size(); ++i) {
    RequestSlot& slot = slots_.at(i);
    const uint32_t use = slot.Use();
    if (flow_.IsGivenUp(slot.Peer()) && slot.Claim(use)) Release(slot);
  }
}

}  // namespace gasnet::portals_conduit
