// Triggered operations: how a call becomes a record, and a record what it says.
#ifndef PORTALS_API_TRIGGERS_H_
#define PORTALS_API_TRIGGERS_H_

#include "portals/api/check.h"
#include "portals/api/request.h"
#include "portals/engine/operation.h"

namespace gasnet::portals4 {

// Forgets what waits for a counter of the owner's.
void Cancel(Peer& owner, CtRecord& ct);

// Keeps an operation that has been checked until the counter reaches the
// threshold. PTL_OK, PTL_ARG_INVALID or PTL_NO_SPACE.
int Postpone(const Call& call, const void* operand, ptl_handle_ct_t trigger,
             ptl_size_t threshold);

// Keeps the append or the unlink of an entry likewise.
int PostponeAppend(const Named<Entry>& entry, ptl_handle_ct_t trigger,
                   ptl_size_t threshold);
int PostponeUnlink(ptl_handle_me_t entry, ptl_handle_ct_t trigger,
                   ptl_size_t threshold);

}  // namespace gasnet::portals4

#endif  // PORTALS_API_TRIGGERS_H_
