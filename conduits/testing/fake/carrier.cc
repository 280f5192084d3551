#include "conduits/testing/fake/carrier.h"

#include <span>
#include <vector>

#include "base/log.h"
#include "core/am/deliver_records.h"
#include "core/am/records.h"

namespace gasnet::fake {
namespace {

constexpr uint8_t kRequestFrame = 1;
constexpr uint8_t kReplyFrame = 2;

// Returns a buffer of this thread, aligned for any type.
std::byte* FrameOf(size_t nbytes) {
  static thread_local std::vector<std::max_align_t> memory;
  const size_t units = nbytes / sizeof(std::max_align_t) + 1;
  if (memory.size() < units) memory.resize(units);
  return reinterpret_cast<std::byte*>(memory.data());
}

}  // namespace

Carrier::Carrier() {
  frames_.handlers().RegisterInternal(kRequestFrame, am::Lane::kRequest,
                                      am::Category::kMedium, &OnFrame);
  frames_.handlers().RegisterInternal(kReplyFrame, am::Lane::kReply,
                                      am::Category::kMedium, &OnFrame);
}

am::Post Carrier::Send(hostshm::HostLink& ring, Rank peer, am::Lane lane,
                       const am::Message& message) {
  std::byte* const frame = FrameOf(am::RecordLayout::Of(0, message).end);
  const size_t nbytes = am::EncodeMessage(frame, 0, message);
  return ring.Send(
      peer, lane,
      {.category = am::Category::kMedium,
       .handler = lane == am::Lane::kRequest ? kRequestFrame : kReplyFrame,
       .payload = frame,
       .nbytes = nbytes});
}

unsigned Carrier::Poll(hostshm::HostLink& ring, am::Lanes lanes,
                       am::Dispatcher& dispatcher) {
  to_.store(&dispatcher, std::memory_order_relaxed);
  return ring.Poll(lanes, frames_);
}

void Carrier::OnFrame(void* token, void* frame, size_t nbytes) {
  const auto& from = *static_cast<const am::Token*>(token);
  static_cast<const Frames*>(from.to)->carrier.Deliver(
      from.source, from.is_request ? am::Lane::kRequest : am::Lane::kReply,
      frame, nbytes);
}

void Carrier::Deliver(Rank source, am::Lane lane, void* frame,
                      size_t nbytes) const {
  const std::span<std::byte> bytes(static_cast<std::byte*>(frame), nbytes);
  if (am::CheckRecords(source, bytes, 0, {segments_, nbytes}) != 1) {
    Fatal("the fake network: rank %u sent no message", source);
  }
  am::DeliverRecords(source, lane, bytes, 0,
                     *to_.load(std::memory_order_relaxed));
}

}  // namespace gasnet::fake
