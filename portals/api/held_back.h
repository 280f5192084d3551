// Events and counts for an initiator that the faults `late` and `reordered` of
// PORTALS4_FAULTS hold back, as a network might do.
//
// Only reports of this process's own operations are held back, and only if no
// operation waits for the counter: no other process would run it. All reports
// of one operation stay together. They are delivered after a number of looks at
// queues and counters. Every look of this process counts, so a thread that
// waits gets them. `late` keeps the order of operations, `reordered` does not.
#ifndef PORTALS_API_HELD_BACK_H_
#define PORTALS_API_HELD_BACK_H_

#include <cstdint>

#include "portals/api/initiate.h"
#include "portals/api/knobs.h"

namespace gasnet::portals4 {

// Holds the report back at random. Returns true if it did.
bool HoldBack(Peer& owner, const Request& request, uint64_t length,
              const Outcome& outcome);

// Counts a look, and delivers the reports that are due.
void ReportSomeHeldBack();
inline void NoteLook() {
  if (FaultsMayHappen()) [[unlikely]]
    ReportSomeHeldBack();
}

// Delivers all reports. Called before an operation is made to wait for a
// counter.
void ReportAllHeldBack();

// Drops the reports of an interface that is closed.
void ForgetHeldBack(const Peer& owner);

}  // namespace gasnet::portals4

#endif  // PORTALS_API_HELD_BACK_H_
