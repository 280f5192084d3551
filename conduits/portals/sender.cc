#include "conduits/portals/sender.h"

#include <optional>

#include "base/log.h"
#include "core/am/payload.h"
#include "core/rma/rma.h"
#include "core/rma/send_state.h"

namespace gasnet::portals_conduit {

am::Post PortalsSender::Send(Rank peer, am::Lane lane,
                             const am::Message& message) {
  const bool is_long = message.category == am::Category::kLong;
  if (is_long && GoesApart(peer, message)) {
    return SendLong(peer, lane, message);
  }
  if (message.nbytes > whole_) [[unlikely]]
    return SendOffered(peer, lane, message);
  if (!SendPacket(peer, lane, PortalsPacket::Whole(message)))
    return am::Post::kRetry;
  if (is_long && lane == am::Lane::kRequest) {
    statistics_.Count(Counted::kPackedLongs);
  }
  return am::Post::kDone;
}

// Returns true if the payload of a Long goes to the segment by a separate put,
// apart from the header. Returns false if Portals does not reach the peer's
// segment, or if the endpoint's index is not 0.
bool PortalsSender::GoesApart(Rank peer, const am::Message& message) const {
  return message.nbytes > 0 && message.endpoint == 0 &&
         (message.nbytes > whole_ || !packed_long_) && transfers_.Reaches(peer);
}

am::Post PortalsSender::SendOffered(Rank peer, am::Lane lane,
                                    const am::Message& message) {
  // Checked in every build. Earlier checks of the client's arguments exist only
  // in debug builds.
  if (message.nbytes > max_medium()) [[unlikely]] {
    Fatal("active message of %zu bytes to rank %u: the limit is %zu",
          message.nbytes, peer, max_medium());
  }
  const std::optional<uint32_t> offer = offers_.Take(lane);
  if (!offer.has_value()) return am::Post::kRetry;
  am::WritePayload(offers_.At(*offer), message);
  offers_.Begin(*offer, peer, message.nbytes);
  if (SendPacket(peer, lane, PortalsPacket::Offered(message, *offer))) {
    return am::Post::kDone;
  }
  offers_.End(*offer, message.nbytes);
  return am::Post::kRetry;
}

// Sends a packet. Returns false if there is no room. There is always room for a
// reply.
bool PortalsSender::SendPacket(Rank peer, am::Lane lane,
                               const PortalsPacket& packet) {
  if (lane == am::Lane::kReply) {
    replies_.Send(packet);
    return true;
  }
  RequestSlot* const slot = requests_.Take(peer, packet.bytes(), false);
  if (slot == nullptr) return false;
  requests_.Send(*slot, packet);
  return true;
}

am::Post PortalsSender::SendLong(Rank peer, am::Lane lane,
                                 const am::Message& message) {
  const am::SendState* const send_state = message.send_state;
  if (send_state != nullptr && send_state->held != nullptr) {
    return send_state->complete.IsOver() ? am::Post::kDone : am::Post::kRetry;
  }
  if (send_state == nullptr && !message.stays) return am::Post::kRetry;
  if (message.nbytes > interface_.most_bytes()) [[unlikely]] {
    Fatal("Long active message of %zu bytes to rank %u: the limit is %zu",
          message.nbytes, peer, interface_.most_bytes());
  }
  if (!transfers_.GoesWhole(message.payload, message.nbytes)) [[unlikely]]
    return SendInParts(peer, lane, message);
  return SendInHalves(peer, lane, message);
}

// Sends a Long in halves. Returns kDone when the client may reuse the source.
// If the message says that its source stays unchanged, returns kDone at once.
// If the source may change, the client must wait until the payload is in place,
// because a refused payload is sent again from the source.
am::Post PortalsSender::SendInHalves(Rank peer, am::Lane lane,
                                     const am::Message& message) {
  am::SendState* const send_state = message.send_state;
  PortalsPacket packet = PortalsPacket::HeaderOfLong(message);
  if (!TakeOpSlot(lane)) return am::Post::kRetry;
  RequestSlot* slot = nullptr;
  if (lane == am::Lane::kRequest) {
    slot = requests_.Take(peer, packet.bytes(), true);
    if (slot == nullptr) {
      op_slots_.Give(1);
      return am::Post::kRetry;
    }
  }
  statistics_.Count(Counted::kLongs);
  packet.header.word = next_lid_.fetch_add(1, std::memory_order_relaxed);
  rma::PendingCount& complete =
      message.stays ? unawaited_ : send_state->complete;
  PostPayload(peer, lane, message, packet.header.word, complete);
  if (slot != nullptr) {
    requests_.Send(*slot, packet);
  } else {
    replies_.Send(packet);
  }
  if (message.stays) return am::Post::kDone;
  send_state->held = this;
  return complete.IsOver() ? am::Post::kDone : am::Post::kRetry;
}

void PortalsSender::PostPayload(Rank peer, am::Lane lane,
                                const am::Message& message, uint32_t lid,
                                rma::PendingCount& complete) {
  const PortalsHeader header = {.form = Form::kLongData, .word = lid};
  transfers_.PostLong({peer, message.dest_addr, message.payload, message.nbytes,
                       &complete, nullptr},
                      lane == am::Lane::kRequest ? PortalTable::kLongs
                                                 : PortalTable::kReplyLongs,
                      header.MatchBits(), header.HeaderData());
}

// Posts the payload in parts. Sends the header when the whole payload is in
// place.
am::Post PortalsSender::SendInParts(Rank peer, am::Lane lane,
                                    const am::Message& message) {
  const am::SendState* const send_state = message.send_state;
  if (send_state == nullptr || !PostParts(peer, lane, message) ||
      !send_state->complete.IsOver()) {
    return am::Post::kRetry;
  }
  PortalsPacket packet = PortalsPacket::HeaderOfLong(message);
  packet.header.form = Form::kInPlace;
  if (!SendPacket(peer, lane, packet)) return am::Post::kRetry;
  statistics_.Count(Counted::kLongs);
  return am::Post::kDone;
}

// Posts the remaining parts. Returns true if all parts have been posted.
bool PortalsSender::PostParts(Rank peer, am::Lane lane,
                              const am::Message& message) {
  am::SendState& send_state = *message.send_state;
  while (send_state.posted < message.nbytes) {
    if (!TakeOpSlot(lane)) return false;
    const rma::Posted part = transfers_.PostPart(
        {peer, static_cast<std::byte*>(message.dest_addr) + send_state.posted,
         static_cast<const std::byte*>(message.payload) + send_state.posted,
         message.nbytes - send_state.posted, &send_state.complete, nullptr});
    if (part.state == rma::PostState::kRetry) {
      GiveOpSlot(lane);
      return false;
    }
    send_state.posted += part.nbytes;
  }
  return true;
}

}  // namespace gasnet::portals_conduit
