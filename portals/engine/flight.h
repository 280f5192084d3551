// Operations that move data while the lock of their portal table entry is free.
// Each is written down in the target's memory, so that when its process dies in
// between somebody ends it: what it would have reported is lost, but an entry
// that it has used up is unlinked, with its event, and the room that it had in
// the queue is given back. A process that dies while it has the lock as well
// breaks the portal table entry: then the record is free for others when no
// other is.
#ifndef PORTALS_ENGINE_FLIGHT_H_
#define PORTALS_ENGINE_FLIGHT_H_

#include "absl/base/thread_annotations.h"
#include "portals/engine/claim.h"
#include "portals/engine/operation.h"

namespace gasnet::portals4 {

// Null: there are too many; then the data is moved under the lock.
FlightRecord* TakeOff(Peer& target, const ClaimedEntry& claim)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(claim.pt->lock);
// Of what was counted as a flight without a record.
void Land(PtRecord& pt, Entry& entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);
void LandFlight(PtRecord& pt, Entry& entry, FlightRecord& flight)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);
// The same when the portal table entry is broken, without its lock: nothing
// there is of use any more.
void FreeFlight(FlightRecord& flight);

// Ends the flights over `pt` of processes that are dead. False: not yet, as
// somebody copies for them.
bool EndDeadFlights(Peer& target, PtRecord& pt)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);
// Those over all entries whose lock is free, which the caller does not hold.
void EndDeadFlights(Peer& own);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_FLIGHT_H_
