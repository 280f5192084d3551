// Makes entries that are appended at once, or later by a triggered append.
#ifndef PORTALS_API_ENTRY_CALLS_H_
#define PORTALS_API_ENTRY_CALLS_H_

#include "portals/api/check.h"
#include "portals4.h"

namespace gasnet::portals4 {

// Fills a slot with an entry that has the phase `phase` and is in no list.
// Returns PTL_OK, or an error code of PtlMEAppend.
int MakeEntry(ptl_handle_ni_t ni_handle, bool matching, ptl_pt_index_t index,
              const ptl_me_t& me, ptl_list_t list, void* user_ptr,
              RecordPhase phase, Named<EntryRecord>& made);

ptl_handle_me_t HandleOf(const Named<EntryRecord>& entry);

// Frees an entry that is in no list.
void DropEntry(const Named<EntryRecord>& entry);

}  // namespace gasnet::portals4

#endif  // PORTALS_API_ENTRY_CALLS_H_
