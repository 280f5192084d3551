// A claim holds the match of an operation, between matching and its end.
//
// Claimed: the entry is chosen, its offset advanced, its list left if it was
// used up, a header linked if it was of the overflow list, room for events
// reserved. Finish ends that.
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

// PTL_NI_OK, or how the operation fails; then nothing has changed but what a
// failure changes (registers, the state of the portal table entry).
uint32_t Claim(Peer& target, PtRecord& pt, const Operation& operation,
               ClaimedEntry& claim) ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);

// Posts and counts: the data is there, or (`fail`) some of it is not.
void Finish(Peer& target, const Operation& operation, const ClaimedEntry& claim,
            uint32_t fail) ABSL_EXCLUSIVE_LOCKS_REQUIRED(claim.pt->lock);

// The entry's flights or headers have become fewer: what was unlinked by itself
// is told (AUTO_UNLINK, AUTO_FREE), and given back, when nothing uses it.
// `events` counts down those reserved.
void Settle(Peer& target, PtRecord& pt, Entry& entry, uint32_t& reserved)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);

// As if a message had found no room. Takes the lock itself.
void DisableByFault(Peer& target, uint32_t pt_index);

// The events of an entry go to its portal table entry's queue.
void PostEntryEvent(Peer& target, PtRecord& pt, uint32_t type,
                    const Entry& entry, uint32_t& reserved)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(pt.lock);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_CLAIM_H_
