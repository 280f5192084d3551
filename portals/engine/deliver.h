// Does an operation on the tables of its target: matches, moves the data, posts
// the target's events, and returns the outcome. It is run by the initiator, by
// the process that makes a triggered operation due, or at the target for
// another host.
//
// The portal table entry's lock is held while matching and while finishing. It
// is held in between as well if the data is short. Longer data moves as a
// flight, without the lock: see flight.h. An operation that is refused consumes
// nothing.
#ifndef PORTALS_ENGINE_DELIVER_H_
#define PORTALS_ENGINE_DELIVER_H_

#include "portals/engine/claim.h"
#include "portals/engine/operation.h"

namespace gasnet::portals4 {

namespace internal {
// Returns true if the process lives, although the thread that held the
// interface's life has ended. Asking the kernel takes microseconds, so its
// answer stays valid for a while, for all peers.
bool IsThereYet(const View& view);
}  // namespace internal

// Returns true if the interface is open and its process lives.
inline bool IsThere(const View& view) {
  constexpr uint32_t kFutexOwnerDied = 0x40000000;
  RegionHeader& header = view.header();
  if (header.state.load(std::memory_order_acquire) != RegionHeader::kReady) {
    return false;
  }
  // The first word of a mutex of glibc's is the futex that the kernel marks.
  const auto* const life = reinterpret_cast<const uint32_t*>(&header.life);
  return (__atomic_load_n(life, __ATOMIC_RELAXED) & kFutexOwnerDied) == 0 ||
         internal::IsThereYet(view);
}

Outcome Deliver(Peer& target, const Operation& operation);

// An operation that arrives, or leaves, in parts: it is matched, and not yet
// over. Its target is an interface of this process, whose end ends the
// operation too. So it needs no record of a flight.
struct OpenDelivery {
  ClaimedEntry claim;
  Extent memory;  // the bytes from claim.offset on, claim.mlength of them
};

// Begins such an operation. Returns false if it is over at once, as `outcome`
// says. Does not use source and sink.
bool BeginDelivery(Peer& target, const Operation& operation, OpenDelivery& open,
                   Outcome& outcome);
// Ends it: all data is there, unless `fail`.
Outcome EndDelivery(Peer& target, const Operation& operation,
                    const OpenDelivery& open, uint32_t fail);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_DELIVER_H_
