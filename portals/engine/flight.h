// Flights: operations that move data while the lock of their portal table entry
// is free. Each has a record in the target's memory. If its process dies,
// another process ends the flight with that record. The operation's own reports
// are lost. But an entry that it has used up is unlinked, with its event, and
// its reserved room in the queue is given back. A process that dies while it
// also holds the lock breaks the portal table entry. Then the record is reused
// when no other is free.
#ifndef PORTALS_ENGINE_FLIGHT_H_
#define PORTALS_ENGINE_FLIGHT_H_

#include "absl/base/thread_annotations.h"
#include "portals/engine/claim.h"
#include "portals/engine/operation.h"

namespace gasnet::portals4 {

// Begins a flight. Returns null if there are too many; then the caller moves
// the data under the lock.
FlightRecord* TakeOff(Peer& target, const ClaimedEntry& claim)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(claim.pt->lock);
// Ends an operation that was counted as a flight without a record.
void Land(PtRecord& pt, Entry& entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);
void LandFlight(PtRecord& pt, Entry& entry, FlightRecord& flight)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);
// Frees the record of a flight over a broken portal table entry, without its
// lock: nothing in the entry is of use any more.
void FreeFlight(FlightRecord& flight);

// Ends the flights of dead processes over `pt`. Returns false if a flight
// cannot end yet, since a helper thread still copies for it.
bool EndDeadFlights(Peer& target, PtRecord& pt)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);
// Ends such flights over all entries whose lock is free. The caller holds none
// of the locks.
void EndDeadFlights(Peer& own);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_FLIGHT_H_
