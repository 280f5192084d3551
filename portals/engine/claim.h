// A claim holds the match of an operation, between matching and its end.
//
// In a claim the entry is chosen and its offset advanced. A used-up entry has
// left its list. If the entry is on the overflow list, a header is linked. Room
// for events is reserved. Finish ends the claim.
#ifndef PORTALS_ENGINE_CLAIM_H_
#define PORTALS_ENGINE_CLAIM_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "portals/engine/operation.h"

namespace gasnet::portals4 {

struct ClaimedEntry {
  PtRecord* pt = nullptr;
  Entry* entry = nullptr;
  uint32_t list = PTL_PRIORITY_LIST;
  uint32_t header = 0;    // Unexpected, or 0
  uint32_t reserved = 0;  // events
  uint64_t offset = 0;
  uint64_t mlength = 0;
};

// Matches the operation. Returns PTL_NI_OK, or the kind of failure. A failure
// changes nothing except its traces (registers, the state of the portal table
// entry).
uint32_t Claim(Peer& target, PtRecord& pt, const Operation& operation,
               ClaimedEntry& claim) ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);

// Posts and counts the end of the operation. A nonzero `fail` means that some
// of the data is missing.
void Finish(Peer& target, const Operation& operation, const ClaimedEntry& claim,
            uint32_t fail) ABSL_EXCLUSIVE_LOCKS_REQUIRED(claim.pt->lock);

// Settles an entry. Called when it has fewer flights or headers than before. If
// an entry that was unlinked automatically is not used any more, posts that
// (AUTO_UNLINK, AUTO_FREE) and frees the entry. Subtracts the posted events
// from `reserved`.
void Settle(Peer& target, PtRecord& pt, Entry& entry, uint32_t& reserved)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);

// Disables the portal table entry as if a message had found no room. Takes the
// lock itself.
void DisableByFault(Peer& target, uint32_t pt_index);

// Posts an event of an entry to its portal table entry's queue.
void PostEntryEvent(Peer& target, PtRecord& pt, uint32_t type,
                    const Entry& entry, uint32_t& reserved)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_CLAIM_H_
