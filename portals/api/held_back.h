// Events and counts for an initiator that the faults `late` and `reordered` of
// PORTALS4_FAULTS hold back, as a network might.
//
// Of operations of this process alone, and not where a counter has something
// waiting for it: nobody else would bring that about. All of an operation stays
// together. They are delivered after so many looks of this process at queues
// and counters, whichever these are, of any thread; so a thread that waits gets
// them. `late` keeps the order of operations, `reordered` does not.
#ifndef PORTALS_API_HELD_BACK_H_
#define PORTALS_API_HELD_BACK_H_

#include <cstdint>

#include "portals/api/initiate.h"
#include "portals/api/knobs.h"

namespace gasnet::portals4 {

// Whether it was held back, by chance.
bool HoldBack(Peer& owner, const Request& request, uint64_t length,
              const Outcome& outcome);

// A look: reports what is due.
void ReportSomeHeldBack();
inline void NoteLook() {
  if (FaultsMayHappen()) [[unlikely]]
    ReportSomeHeldBack();
}

// Before something is made to wait for a counter.
void ReportAllHeldBack();

// The interface is closed: nothing is reported.
void ForgetHeldBack(const Peer& owner);

}  // namespace gasnet::portals4

#endif  // PORTALS_API_HELD_BACK_H_
