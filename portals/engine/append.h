// Appends, searches and unlinks, by the owner of the lists. Each under the
// portal table entry's lock, which it takes itself.
#ifndef PORTALS_ENGINE_APPEND_H_
#define PORTALS_ENGINE_APPEND_H_

#include <cstdint>

#include "portals/engine/operation.h"

namespace gasnet::portals4 {

// Appends an entry that is filled but for its place in a list, and whose
// pt_list says which; its slot's phase is what it is to become visible from.
// Answers PTL_OK or PTL_NO_SPACE (then nothing has happened), PTL_ARG_INVALID
// for a portal table entry that has been freed, PTL_FAIL for a broken one.
int AppendEntry(Peer& own, Entry& entry);

// Is called while a call here waits for data that is under way: what brings it
// may need this thread. Null: nothing does.
void SetIdle(void (*idle)());

// Looks for headers that `probe`, which is in no list, would take. Its
// ct and user_ptr are reported. PTL_OK or PTL_FAIL.
int SearchHeaders(Peer& own, uint32_t pt_index, const Entry& probe,
                  bool removes);

// PTL_OK, PTL_IN_USE, PTL_ARG_INVALID or PTL_FAIL. By its EntryRef: a peer may
// use the entry up meanwhile, and its slot be another's. Waits a moment for
// operations that are at work on the entry (kInUsePatience).
int UnlinkEntry(Peer& own, Ref entry);

// Removes all headers and used-up entries; IN_USE if an entry is linked. Waits
// as UnlinkEntry does.
int ClearLists(Peer& own, PtRecord& pt);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_APPEND_H_
