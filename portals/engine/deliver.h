// Executes an operation on the tables of its target: matches it, moves the
// data, posts the target's events, and returns the outcome. The caller is one
// of these:
// - the initiator
// - the process that makes a triggered operation due
// - the target, for an initiator on another host
//
// The caller holds the lock of the portal table entry while it matches and
// while it finishes the operation. It keeps the lock in between if the data is
// short. Longer data moves as a flight, without the lock: see flight.h. A
// refused operation consumes nothing.
#ifndef PORTALS_ENGINE_DELIVER_H_
#define PORTALS_ENGINE_DELIVER_H_

#include "portals/engine/claim.h"
#include "portals/engine/operation.h"

namespace gasnet::portals4 {

namespace internal {
// Returns true if the process lives, although its thread that held the
// interface's life mutex has ended. Asking the kernel takes microseconds. So an
// answer of a peer is used again for kAliveFor.
bool IsThereYet(const View& view);
}  // namespace internal

// Returns true if the interface is open and its process lives.
inline bool IsThere(const View& view) {
  constexpr uint32_t kFutexOwnerDied = 0x40000000;
  RegionHeader& header = view.header();
  if (header.state.load(std::memory_order_acquire) != RegionHeader::kReady) {
    return false;
  }
  // The first word of a glibc mutex is a futex. When the mutex's owner dies,
  // the kernel marks this word.
  const auto* const life = reinterpret_cast<const uint32_t*>(&header.life);
  return (__atomic_load_n(life, __ATOMIC_RELAXED) & kFutexOwnerDied) == 0 ||
         internal::IsThereYet(view);
}

Outcome Deliver(PeerInterface& target, const PortalsOperation& operation);

// An operation that arrives or leaves in parts: it is matched, but not yet
// over. Its target is an interface of this process. The operation ends with
// this process, so it needs no record of a flight.
struct OpenDelivery {
  ClaimedEntry claim;
  Extent memory;  // the claim.mlength bytes from claim.offset on
};

// Begins an operation in parts. Returns false, and sets `outcome`, if the
// operation is already over. Does not use the operation's source and sink.
bool BeginDelivery(PeerInterface& target, const PortalsOperation& operation,
                   OpenDelivery& open, Outcome& outcome);
// Ends an operation in parts. A nonzero `fail` means that data is missing.
Outcome EndDelivery(PeerInterface& target, const PortalsOperation& operation,
                    const OpenDelivery& open, uint32_t fail);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_DELIVER_H_
