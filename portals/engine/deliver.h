// Executes an operation on the tables of its target: matches it, moves the
// data, posts the target's events, and returns the outcome. The caller is one
// of these:
// - the initiator
// - the process that makes a triggered operation due
// - the target, for an initiator on another host
//
// The lock of the portal table entry is held while matching and while
// finishing. If the data is short, the lock is held in between too. Longer data
// moves as a flight, without the lock: see flight.h. A refused operation
// consumes nothing.
#ifndef PORTALS_ENGINE_DELIVER_H_
#define PORTALS_ENGINE_DELIVER_H_

#include "portals/engine/claim.h"
#include "portals/engine/operation.h"

namespace gasnet::portals4 {

namespace internal {
// Returns true if the process lives, although its thread that held the
// interface's life mutex has ended. Asks the kernel only if no peer has found
// the process alive in the last kAliveFor, since asking takes microseconds.
bool IsThereYet(const View& view);
}  // namespace internal

// Returns true if the interface is open and its process lives.
inline bool IsThere(const View& view) {
  constexpr uint32_t kFutexOwnerDied = 0x40000000;
  RegionHeader& header = view.header();
  if (header.state.load(std::memory_order_acquire) != RegionHeader::kReady) {
    return false;
  }
  // The first word of a glibc mutex is a futex. The kernel marks it when the
  // owner dies.
  const auto* const life = reinterpret_cast<const uint32_t*>(&header.life);
  return (__atomic_load_n(life, __ATOMIC_RELAXED) & kFutexOwnerDied) == 0 ||
         internal::IsThereYet(view);
}

Outcome Deliver(Peer& target, const Operation& operation);

// An operation that arrives or leaves in parts: it is matched, but not yet
// over. Its target is an interface of this process, and the operation ends with
// the process. So it needs no record of a flight.
struct OpenDelivery {
  ClaimedEntry claim;
  Extent memory;  // The claim.mlength bytes from claim.offset on.
};

// Begins an operation in parts. Returns false, and sets `outcome`, if the
// operation is already over. Does not use the operation's source and sink.
bool BeginDelivery(Peer& target, const Operation& operation, OpenDelivery& open,
                   Outcome& outcome);
// Ends an operation in parts. All data has arrived unless `fail` is set.
Outcome EndDelivery(Peer& target, const Operation& operation,
                    const OpenDelivery& open, uint32_t fail);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_DELIVER_H_
