// Functions by which the owner of the lists appends, searches and unlinks. Each
// function takes the portal table entry's lock itself.
#ifndef PORTALS_ENGINE_APPEND_H_
#define PORTALS_ENGINE_APPEND_H_

#include <cstdint>

#include "portals/engine/operation.h"

namespace gasnet::portals4 {

// Appends an entry. The caller has filled all fields except the links of the
// list. `pt_list` names the list. The slot's phase is kPending, and becomes
// kLive when the entry is linked. Returns one of these:
// - PTL_OK
// - PTL_NO_SPACE, without any effect
// - PTL_ARG_INVALID for a portal table entry that has been freed
// - PTL_FAIL for a broken portal table entry
int AppendEntry(PeerInterface& own, EntryRecord& entry);

// Sets a function that the calls below run while they wait for data under way.
// This thread itself may have to receive that data. Null removes the function.
void SetIdle(void (*idle)());

// Looks for headers that `probe` would take. `probe` is in no list. The events
// of the search have the probe's user_ptr, and the probe's counter counts the
// headers. If `removes` is set, also removes the headers. Returns PTL_OK or
// PTL_FAIL.
int SearchHeaders(PeerInterface& own, uint32_t pt_index,
                  const EntryRecord& probe, bool removes);

// Unlinks an entry. Returns PTL_OK, PTL_IN_USE, PTL_ARG_INVALID or PTL_FAIL.
// Takes an EntryRef: a peer may use the entry up during the call, and its slot
// may then be reused. Waits up to kInUsePatience for operations under way on
// the entry.
int UnlinkEntry(PeerInterface& own, Ref entry);

// Removes all headers and used-up entries of a portal table entry. Returns
// PTL_IN_USE if an entry is linked. Waits as UnlinkEntry does.
int ClearLists(PeerInterface& own, PtRecord& pt);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_APPEND_H_
