// Converts a triggered call to a record, and a record to an operation.
#ifndef PORTALS_API_TRIGGERS_H_
#define PORTALS_API_TRIGGERS_H_

#include "portals/api/check.h"
#include "portals/api/request.h"
#include "portals/engine/operation.h"

namespace gasnet::portals4 {

// Drops the operations that wait for a counter of the owner.
void Cancel(PeerInterface& owner, CtRecord& ct);

// Keeps a checked operation until the counter reaches the threshold. Returns
// PTL_OK, PTL_ARG_INVALID or PTL_NO_SPACE.
int Postpone(const PreparedOperation& call, const void* operand,
             ptl_handle_ct_t trigger, ptl_size_t threshold);

// Like Postpone(), but for the append or the unlink of an entry.
int PostponeAppend(const Named<EntryRecord>& entry, ptl_handle_ct_t trigger,
                   ptl_size_t threshold);
int PostponeUnlink(ptl_handle_me_t entry, ptl_handle_ct_t trigger,
                   ptl_size_t threshold);

}  // namespace gasnet::portals4

#endif  // PORTALS_API_TRIGGERS_H_
