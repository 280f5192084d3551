// Holds back events and counts for an initiator, as a network might do. The
// faults `late` and `reordered` of PORTALS4_FAULTS cause this.
//
// Only reports of this process's own operations are held back. They are held
// back only if no operation waits for the counter, since no other process would
// run that operation. All reports of one operation stay together.
//
// Reports are delivered after a number of looks at queues and counters. Every
// look of this process counts, so a thread that waits gets them. `late` keeps
// the order of operations; `reordered` does not.
#ifndef PORTALS_API_HELD_BACK_H_
#define PORTALS_API_HELD_BACK_H_

#include <cstdint>

#include "portals/api/initiate.h"
#include "portals/api/knobs.h"

namespace gasnet::portals4 {

// Holds the report back at random. Returns true if it is held back.
bool HoldBack(Peer& owner, const Request& request, uint64_t length,
              const Outcome& outcome);

// Counts a look, and delivers the reports that are due.
void ReportSomeHeldBack();
inline void NoteLook() {
  if (FaultsMayHappen()) [[unlikely]]
    ReportSomeHeldBack();
}

// Delivers all reports that are held back. Call it before an operation is made
// to wait for a counter.
void ReportAllHeldBack();

// Drops the held-back reports of an interface that is closed.
void ForgetHeldBack(const Peer& owner);

}  // namespace gasnet::portals4

#endif  // PORTALS_API_HELD_BACK_H_
