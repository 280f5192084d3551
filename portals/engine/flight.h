// Flights: operations that move data without holding the lock of their portal
// table entry. Each flight has a record in the target's memory. If the process
// of a flight dies, another process uses the record to end the flight. The
// operation's own events are then lost. If the operation has used up an entry,
// the entry is unlinked, and the event of the unlinking is posted. The room
// that the operation has reserved in the queue is given back.
//
// A process that dies while it also holds the lock breaks the portal table
// entry. Its record is reused only when no other record is free.
#ifndef PORTALS_ENGINE_FLIGHT_H_
#define PORTALS_ENGINE_FLIGHT_H_

#include "absl/base/thread_annotations.h"
#include "portals/engine/claim.h"
#include "portals/engine/operation.h"

namespace gasnet::portals4 {

// Begins a flight. Returns null if there are too many flights. The caller then
// moves the data under the lock.
FlightRecord* TakeOff(PeerInterface& target, const ClaimedEntry& claim)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(claim.pt->lock);
// Ends an operation that was counted as a flight without a record.
void Land(PtRecord& pt, EntryRecord& entry)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);
void LandFlight(PtRecord& pt, EntryRecord& entry, FlightRecord& flight)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);
// Frees the record of a flight. The flight's portal table entry is broken, so
// this takes no lock.
void FreeFlight(FlightRecord& flight);
// Returns true if there is a record of a flight that uses `pt`.
bool HasFlight(const View& view, const PtRecord& pt)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);

// Ends the flights of dead processes that use `pt`. Returns false if a flight
// cannot end yet because a helper thread still copies for it.
bool EndDeadFlights(PeerInterface& target, PtRecord& pt)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);
// Ends the flights of dead processes, for all portal table entries whose lock
// is free. The caller holds none of these locks.
void EndDeadFlights(PeerInterface& own);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_FLIGHT_H_
