// The sending half of HostLink: messages that do not fit a cell, and all
// messages if there are several rails.
#include <bit>
#include <cstring>
#include <string>

#include "base/log.h"
#include "core/am/payload.h"
#include "core/hostshm/host_link.h"
#include "core/thread/thread_state.h"

namespace gasnet::hostshm {

// Returns the address of a Long's destination in this process, or null if it is
// not mapped here.
unsigned char* HostLink::MappedLong(Rank peer,
                                    const am::Message& message) const {
  const MappedSegment& to = peers_[peer];
  const Segment segment{to.base, to.size};
  if (!segment.Contains(message.dest_addr, message.nbytes)) return nullptr;
  return to.map + (reinterpret_cast<uintptr_t>(message.dest_addr) - to.base);
}

HostLink::Shape HostLink::ShapeOf(Rank peer, const am::Message& message) const {
  Shape shape;
  if (message.category == am::Category::kLong) {
    shape.direct = MappedLong(peer, message);
    shape.carried =
        shape.direct == nullptr && !message.payload_sent ? message.nbytes : 0;
  } else if (message.category == am::Category::kMedium) {
    shape.carried = message.nbytes;
  }
  shape.at =
      CellPlacement::Of(message.category, message.num_args, shape.carried);
  if (shape.at.block_bytes > layout_.payload_bytes() ||
      message.nbytes > am::kMaxLong) [[unlikely]] {
    RefuseTooLong(peer, message);
  }
  return shape;
}

bool HostLink::IsKnown(uint32_t host_rank, am::Lane lane,
                       unsigned index) const {
  return index == 0 || lane == am::Lane::kReply ||
         rails_.at(index).IsKnownTo(host_rank);
}

void HostLink::Announce(const Rail& rail, uint32_t host_rank, am::Lane lane) {
  if (!layout_.direct_poll()) rail.SetPending(host_rank, lane);
  DoorbellOf(host_rank).Ring();
}

// Returns the thread's rail for a small message, or null if the message must go
// through SendByThread().
Rail* HostLink::RailToSendOn(uint32_t to, am::Lane lane, bool to_take) {
  if (!layout_.direct_poll()) return nullptr;
  const unsigned index = to_take ? 0 : RailOf(lane);
  return IsKnown(to, lane, index) ? &rails_.at(index) : nullptr;
}

// Sends a message for which Send() has no fast path. That is a message that is
// not small, must set bits or introduce a rail, or whose rail another thread is
// using.
am::Post HostLink::SendByThread(Rank peer, am::Lane lane,
                                const am::Message& message) {
  const uint32_t to = host_rank_of_[peer];
  const Shape shape = ShapeOf(peer, message);
  Place place;
  if (!Reserve(to, lane, shape, message, place)) return am::Post::kRetry;
  if (shape.direct != nullptr && message.nbytes > 0 && !message.payload_sent) {
    std::memcpy(shape.direct, message.payload, message.nbytes);
  }
  Fill(place.slot, shape.at, message, shape.carried);
  Announce(rails_.at(place.rail), to, lane);
  return am::Post::kDone;
}

bool HostLink::Reserve(uint32_t to, am::Lane lane, const Shape& shape,
                       const am::Message& message, Place& place) {
  if (message.to_take) {
    return first_.To(to, lane).Reserve(shape.at.block_bytes, place.slot);
  }
  if (message.category == am::Category::kMedium && shape.at.spilled &&
      message.payload != nullptr) {
    auto* const block = const_cast<unsigned char*>(
        static_cast<const unsigned char*>(message.payload) -
        shape.at.payload_at);
    const int rail = RailOfBlock(to, lane, block);
    if (rail >= 0) {
      place.rail = static_cast<unsigned>(rail);
      return (IsKnown(to, lane, place.rail) || Introduce(to, place.rail)) &&
             rails_.at(place.rail).To(to, lane).ReserveFor(block, place.slot);
    }
  }
  return ReserveByThread(to, lane, shape.at.block_bytes, place);
}

// Reserves a cell. If another thread is using the rail, moves this thread to
// another rail. A reply stays on the rail of its request.
bool HostLink::ReserveByThread(uint32_t to, am::Lane lane, size_t block_bytes,
                               Place& place) {
  place.rail = RailOf(lane);
  if (!IsKnown(to, lane, place.rail) && !Introduce(to, place.rail)) {
    return false;
  }
  const Producer::Room room =
      rails_.at(place.rail).To(to, lane).TryReserve(block_bytes, place.slot);
  if (room != Producer::Room::kBusy) return room == Producer::Room::kFound;
  if (lane == am::Lane::kRequest && MoveThread()) {
    place.rail = RailOf(lane);
    if (!IsKnown(to, lane, place.rail) && !Introduce(to, place.rail)) {
      return false;
    }
  }
  return rails_.at(place.rail).To(to, lane).Reserve(block_bytes, place.slot);
}

bool HostLink::MoveThread() {
  if (!rails_.Move(thread::Self())) return false;
  SetDetour(kRails);
  return true;
}

// Introduces a rail. It is harmless if two threads introduce the same rail at
// once.
bool HostLink::Introduce(uint32_t host_rank, unsigned index) {
  Producer::Slot slot;
  if (!first_.To(host_rank, am::Lane::kRequest).Reserve(0, slot)) return false;
  const CellHeader header{
      .lap = slot.lap, .category = kIntroduction, .nbytes = index};
  Causality::BeforeSending();
  slot.cell->header.store(header.Pack(), std::memory_order_release);
  Announce(first_, host_rank, am::Lane::kRequest);
  rails_.at(index).SetKnownTo(host_rank);
  return true;
}

unsigned char* HostLink::Prepare(Rank peer, am::Lane lane, unsigned num_args,
                                 size_t nbytes) {
  const CellPlacement at =
      CellPlacement::Of(am::Category::kMedium, num_args, nbytes);
  if (!at.spilled) return nullptr;
  unsigned char* const block =
      rails_.at(RailOf(lane)).To(host_rank_of_[peer], lane).TakeBlock();
  return block == nullptr ? nullptr : block + at.payload_at;
}

// Computes the block's start from the payload's address. Prepare() gave the
// payload the position that it has in a spilled message.
void HostLink::EndPrepared(Rank peer, am::Lane lane, unsigned num_args,
                           const void* payload) {
  const CellPlacement at =
      CellPlacement::Of(am::Category::kMedium, num_args, max_medium_);
  const auto* const block =
      static_cast<const unsigned char*>(payload) - at.payload_at;
  const uint32_t to = host_rank_of_[peer];
  const auto rail = static_cast<unsigned>(RailOfBlock(to, lane, block));
  rails_.at(rail).To(to, lane).ReturnBlock(block);
}

int HostLink::RailOfBlock(uint32_t to, am::Lane lane,
                          const unsigned char* block) const {
  for (Rails::Mask bits = rails_.made(); bits != 0; bits &= bits - 1) {
    const int index = std::countr_zero(bits);
    const Rail& rail = rails_.at(static_cast<unsigned>(index));
    if (rail.To(to, lane).HasBlock(block)) return index;
  }
  return -1;
}

void HostLink::RefuseTooLong(Rank peer, const am::Message& message) const {
  if (message.category == am::Category::kMedium) {
    Fatal("Medium active message of %zu bytes to rank %u: the limit is %zu",
          message.nbytes, peer, max_medium_);
  }
  Fatal(
      "Long active message of %zu bytes to rank %u: the limit is %zu, and the "
      "destination %p must lie in that rank's segment",
      message.nbytes, peer, max_long_, message.dest_addr);
}

void HostLink::Fill(const Producer::Slot& slot, const CellPlacement& at,
                    const am::Message& message, size_t carried) {
  unsigned char* const line = slot.cell->bytes();
  unsigned char* const payload_in = at.spilled ? slot.block : line;
  unsigned char* const args_in = at.args_spilled ? slot.block : line;
  const bool is_long = message.category == am::Category::kLong;
  if (is_long) std::memcpy(line + 8, &message.dest_addr, 8);
  if (at.spilled) {
    const uint64_t offset = slot.block_offset;
    std::memcpy(line + at.block_at, &offset, 8);
  }
  int32_t* const args = reinterpret_cast<int32_t*>(args_in + at.args_at);
  for (unsigned i = 0; i < message.num_args; ++i) args[i] = message.args[i];
  // Copies no payload that was built in place.
  if (carried > 0 && message.payload != payload_in + at.payload_at) {
    am::WritePayload(payload_in + at.payload_at, message);
  }
  const CellHeader header{slot.lap,
                          message.handler,
                          message.num_args,
                          message.category,
                          at.spilled,
                          is_long && carried > 0,
                          static_cast<uint32_t>(message.nbytes)};
  Causality::BeforeSending();
  slot.cell->header.store(header.Pack(), std::memory_order_release);
}

bool HostLink::MayHaveRoom(Rank peer, am::Lane lane, size_t nbytes) {
  const CellPlacement at = CellPlacement::Of(am::Category::kMedium, 0, nbytes);
  return rails_.at(RailOf(lane))
      .To(host_rank_of_[peer], lane)
      .HasRoom(at.block_bytes);
}

job::RingFill HostLink::FillTo(Rank peer, am::Lane lane) {
  return rails_.at(RailOf(lane)).To(host_rank_of_[peer], lane).Fill();
}

}  // namespace gasnet::hostshm
