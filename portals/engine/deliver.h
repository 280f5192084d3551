// Does an operation on the tables of its target: matches, moves the data, posts
// the target's events, and says what became of it. Run by the initiator, by the
// process that makes a triggered operation due, or at the target for another
// host.
//
// The portal table entry's lock is held while matching and while finishing, and
// in between too for what is short; longer data moves as a flight, without the
// lock: see flight.h. Nothing is consumed by an operation that is refused.
#ifndef PORTALS_ENGINE_DELIVER_H_
#define PORTALS_ENGINE_DELIVER_H_

#include "portals/engine/claim.h"
#include "portals/engine/operation.h"

namespace gasnet::portals4 {

namespace internal {
// The thread that held the interface's life has ended. To ask the kernel takes
// microseconds; so what it says counts for a while, for all peers.
bool IsThereYet(const View& view);
}  // namespace internal

// Whether the interface is open and its process lives.
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

// The same for what arrives, or leaves, in parts: matched, and not yet over. An
// interface of this process, whose end is the end of the operation too; so it
// needs no record of a flight.
struct OpenDelivery {
  ClaimedEntry claim;
  Extent memory;  // the bytes from claim.offset on, claim.mlength of them
};

// False: it is over at once, as `outcome` says. Source and sink are not used.
bool BeginDelivery(Peer& target, const Operation& operation, OpenDelivery& open,
                   Outcome& outcome);
// All is there, or (`fail`) is not.
Outcome EndDelivery(Peer& target, const Operation& operation,
                    const OpenDelivery& open, uint32_t fail);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_DELIVER_H_
