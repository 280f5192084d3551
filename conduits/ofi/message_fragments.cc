// Sends messages that are larger than a frame as fragments. Each fragment is
// alone in its frame (core/am/fragment.h).
//
// In a lane to a peer, fragmented messages are sent one after another. If
// several were sent at once, each might lack credit to complete, while the
// receiver has no room to begin more messages (incoming_fragments.h).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/log.h"
#include "base/round_up.h"
#include "conduits/ofi/aligned_bytes.h"
#include "conduits/ofi/frame.h"
#include "conduits/ofi/incoming_fragments.h"
#include "conduits/ofi/messages.h"
#include "core/am/fragment.h"
#include "core/am/payload.h"
#include "core/am/tuning.h"

namespace gasnet::ofi {

struct OfiMessages::Cut {
  Cut(const am::Message& message, size_t frame_bytes)
      : head(am::FragmentPayloadAt(kFrameHeaderBytes, message.category,
                                   message.num_args)),
        each((frame_bytes - head) / 16 * 16),
        nbytes(message.nbytes) {}

  size_t LengthAt(size_t offset) const {
    return std::min(each, nbytes - offset);
  }
  size_t FrameBytes(size_t length) const { return RoundUp(head + length, 16); }
  size_t count() const { return (nbytes + each - 1) / each; }

  const size_t head;    // bytes of a frame before the payload
  const size_t each;    // payload bytes of a full frame
  const size_t nbytes;  // payload bytes of the message
};

// Returns true if credit and buffers suffice to send all fragments now.
bool OfiMessages::HasRoom(const Peer& peer, Lane lane, const Cut& cut) const {
  const size_t full = cut.count() - 1;
  const size_t rest = cut.FrameBytes(cut.LengthAt(full * cut.each));
  const size_t cost = full * CostOf(cut.FrameBytes(cut.each)) + CostOf(rest);
  return cost <= peer.send[static_cast<size_t>(lane)].left() &&
         send_buffers_.Has(lane, cut.count());
}

am::Post OfiMessages::SendInFragments(Rank rank, Lane lane,
                                      const am::Message& message,
                                      size_t* progress) {
  // This limit is checked in all builds. Earlier checks of the client's
  // arguments exist only in debug builds.
  if (message.category == am::Category::kMedium &&
      message.nbytes > am::kMaxMedium) [[unlikely]] {
    Fatal(
        "active message of %zu bytes to rank %u: the limit of a Medium is %zu",
        message.nbytes, rank, am::kMaxMedium);
  }
  Peer& peer = peers_[rank];
  Outgoing& outgoing = peer.outgoing[static_cast<size_t>(lane)];
  if (outgoing.unsent > 0) return Refused(peer, /*by_provider=*/true);
  if (outgoing.current != nullptr && outgoing.current != progress) {
    return am::Post::kRetry;
  }
  const Cut cut(message, limits_.frame_bytes);
  // A send without a send state cannot continue in a later call. So it must
  // send all fragments now.
  if (progress == nullptr && !HasRoom(peer, lane, cut)) return am::Post::kRetry;
  size_t all = 0;
  size_t& posted = progress == nullptr ? all : *progress;
  if (peer.send[static_cast<size_t>(lane)].left() <
      CostOf(cut.FrameBytes(cut.LengthAt(posted)))) {
    return Refused(peer, /*by_provider=*/false);
  }
  const am::Gathered gathered(message);
  if (posted == 0) ++outgoing.number;
  outgoing.current = progress;
  while (posted < cut.nbytes) {
    const auto length = static_cast<uint32_t>(cut.LengthAt(posted));
    const am::Fragment fragment = {outgoing.number,
                                   static_cast<uint32_t>(posted), length};
    if (!SendFragment(rank, lane, gathered.message(), fragment)) {
      return Refused(peer, /*by_provider=*/false);
    }
    posted += length;
  }
  outgoing.current = nullptr;
  if (peer.refused != 0) Taken(peer);
  return am::Post::kDone;
}

// Sends a fragment. Returns false if there is no credit or no buffer. If the
// provider refuses the frame, the frame is posted later and the result is true.
bool OfiMessages::SendFragment(Rank rank, Lane lane, const am::Message& message,
                               const am::Fragment& fragment) {
  Peer& peer = peers_[rank];
  const size_t head = am::FragmentPayloadAt(kFrameHeaderBytes, message.category,
                                            message.num_args);
  const size_t bytes = RoundUp(head + fragment.length, 16);
  am::SendCredit& credit = peer.send[static_cast<size_t>(lane)];
  const am::CreditUnits cost = CostOf(bytes);
  if (!credit.Take(cost)) return false;
  SendBuffer* const buffer = send_buffers_.Take(lane);
  if (buffer == nullptr) {
    credit.GiveBack(cost, limits_.window);
    return false;
  }
  HeaderTo(peer, lane).Encode(buffer->frame);
  const size_t end =
      am::EncodeFragment(buffer->frame, kFrameHeaderBytes, message, fragment);
  std::fill(buffer->frame + end, buffer->frame + bytes, am::kPadding);
  buffer->bytes = bytes;
  if (TryPost(rank, *buffer, bytes, How::kSent) != Posted::kPosted) {
    ++OutgoingOf(*buffer).unsent;
    unsent_.push_back(buffer);
  }
  return true;
}

void OfiMessages::PostUnsent() {
  std::erase_if(unsent_, [this](SendBuffer* buffer) {
    const Posted posted =
        TryPost(buffer->peer, *buffer, buffer->bytes, How::kSent);
    if (posted == Posted::kRefused) return false;
    if (posted == Posted::kLost) {
      GiveUnsent(*buffer);
    } else {
      --OutgoingOf(*buffer).unsent;
    }
    return true;
  });
}

Arrival OfiMessages::ReadFragment(const FrameHeader& header,
                                  std::span<std::byte> frame) {
  AlignedBytes copy;
  if (!IsAligned(frame)) {
    copy = CopyAligned(frame);
    frame = {copy.get(), frame.size()};
  }
  IncomingFragments::Taken taken;
  const IncomingFragments::Result result =
      incoming_.Take(header.source, header.lane, frame, taken_, taken);
  if (result == IncomingFragments::Result::kMalformed) {
    Count(counts_.frames_dropped);
    return {};
  }
  TakeCredit(header);
  if (result == IncomingFragments::Result::kWaits) return {};
  return Assembled(taken);
}

Arrival OfiMessages::Assembled(const IncomingFragments::Taken& taken) {
  Handled(taken.source, taken.lane, taken.frame_bytes);
  if (taken.complete == nullptr) return {};
  return {.source = taken.source,
          .lane = taken.lane,
          .messages = 1,
          .assembly = taken.complete};
}

Arrival OfiMessages::TakeWaiting() {
  IncomingFragments::Taken taken;
  while (incoming_.TakeWaiting(taken_, taken)) {
    const Arrival arrival = Assembled(taken);
    if (arrival.messages > 0) return arrival;
  }
  return {};
}

}  // namespace gasnet::ofi
