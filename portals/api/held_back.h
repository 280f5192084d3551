// Holds back events and counts for an initiator, as a network might do. The
// faults `late` and `reordered` of PORTALS4_FAULTS cause this.
//
// Only reports of this process's own operations are held back, and only while
// no triggered operation waits for their counter. A held-back count might
// prevent a triggered operation from ever running. All reports of one operation
// stay together.
//
// A "look" is a call that reads a queue or counter. Reports are delivered after
// a number of looks. Every look of this process counts, so a thread that waits
// gets its reports. `late` keeps the order of operations; `reordered` does not.
#ifndef PORTALS_API_HELD_BACK_H_
#define PORTALS_API_HELD_BACK_H_

#include <cstdint>

#include "portals/api/initiate.h"
#include "portals/api/knobs.h"

namespace gasnet::portals4 {

// Holds the report back in some calls, at random. Returns true if it did so.
bool HoldBack(PeerInterface& owner, const InitiatorRequest& request,
              uint64_t length, const Outcome& outcome);

// Counts a look, and delivers the reports that are due.
void ReportSomeHeldBack();
inline void NoteLook() {
  if (FaultsMayHappen()) [[unlikely]]
    ReportSomeHeldBack();
}

// Delivers all reports that are held back. Call it before a triggered operation
// begins to wait for a counter.
void ReportAllHeldBack();

// Drops the held-back reports of an interface that is closed.
void ForgetHeldBack(const PeerInterface& owner);

}  // namespace gasnet::portals4

#endif  // PORTALS_API_HELD_BACK_H_
