// A claim: an operation has matched an entry, and is not over yet.
//
// The function Claim does these steps:
// - It chooses the entry, and advances the entry's offset.
// - It takes a used-up entry out of its list.
// - It links a header if the entry is on the overflow list.
// - It reserves room for events.
//
// Finish ends the claim.
#ifndef PORTALS_ENGINE_CLAIM_H_
#define PORTALS_ENGINE_CLAIM_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "portals/engine/operation.h"

namespace gasnet::portals4 {

struct ClaimedEntry {
  PtRecord* pt = nullptr;
  EntryRecord* entry = nullptr;
  uint32_t list = PTL_PRIORITY_LIST;
  uint32_t header = 0;    // slot of an Unexpected, or 0
  uint32_t reserved = 0;  // number of reserved events
  uint64_t offset = 0;
  uint64_t mlength = 0;
};

// Matches the operation and fills `claim`. Returns PTL_NI_OK, or the kind of
// failure. A failure changes only registers and the state of the portal table
// entry.
uint32_t Claim(PeerInterface& target, PtRecord& pt,
               const PortalsOperation& operation, ClaimedEntry& claim)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);

// Posts the events of the operation and counts its end. A nonzero `fail` means
// that some of the data is missing.
void Finish(PeerInterface& target, const PortalsOperation& operation,
            const ClaimedEntry& claim, uint32_t fail)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(claim.pt->lock);

// Frees an entry that was unlinked automatically and is not used any more.
// Posts AUTO_UNLINK and AUTO_FREE for it. Subtracts the posted events from
// `reserved`. Call it when the entry has fewer flights or headers than before.
void Settle(PeerInterface& target, PtRecord& pt, EntryRecord& entry,
            uint32_t& reserved) ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);

// Disables the portal table entry as if a message had found no room. Takes the
// lock itself.
void DisableByFault(PeerInterface& target, uint32_t pt_index);

// Posts an event of a list entry to the queue of its portal table entry.
void PostEntryEvent(PeerInterface& target, PtRecord& pt, uint32_t type,
                    const EntryRecord& entry, uint32_t& reserved)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_CLAIM_H_
