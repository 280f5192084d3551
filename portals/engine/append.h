// Appends, searches and unlinks, by the owner of the lists. Each call takes the
// portal table entry's lock itself.
#ifndef PORTALS_ENGINE_APPEND_H_
#define PORTALS_ENGINE_APPEND_H_

#include <cstdint>

#include "portals/engine/operation.h"

namespace gasnet::portals4 {

// Appends an entry. All its fields except its place in a list are filled.
// pt_list is its list, and its slot's phase is the phase in which it becomes
// visible. Returns PTL_OK; PTL_NO_SPACE, without any effect; PTL_ARG_INVALID
// for a portal table entry that has been freed; or PTL_FAIL for a broken one.
int AppendEntry(Peer& own, Entry& entry);

// Sets a function that calls here run while they wait for data under way, since
// this thread may have to bring the data itself. Null removes it.
void SetIdle(void (*idle)());

// Looks for headers that `probe`, which is in no list, would take. Reports its
// ct and user_ptr. Returns PTL_OK or PTL_FAIL.
int SearchHeaders(Peer& own, uint32_t pt_index, const Entry& probe,
                  bool removes);

// Unlinks an entry. Returns PTL_OK, PTL_IN_USE, PTL_ARG_INVALID or PTL_FAIL. It
// takes an EntryRef, since a peer may use the entry up meanwhile, and its slot
// may be reused. Waits a moment for operations under way on the entry
// (kInUsePatience).
int UnlinkEntry(Peer& own, Ref entry);

// Removes all headers and used-up entries. Returns PTL_IN_USE if an entry is
// linked. Waits as UnlinkEntry does.
int ClearLists(Peer& own, PtRecord& pt);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_APPEND_H_
