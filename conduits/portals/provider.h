// All that the conduit sees of Portals 4: the header of any vendor.
//
// Headers differ. Handles are numbers in one and structures in the next, some
// do not declare C linkage for C++, some constants are literals that C++
// rejects, and no two agree on values. So only this header includes portals4.h;
// handles are only copied and passed on; and constants that may be more than
// integers come from a C file, provider_constants.c.
#ifndef CONDUITS_PORTALS_PROVIDER_H_
#define CONDUITS_PORTALS_PROVIDER_H_

#ifdef __cplusplus
extern "C" {
#endif

#include <portals4.h>

// Visible only in this library.
#pragma GCC visibility push(hidden)

// PTL_EQ_NONE, PTL_CT_NONE.
ptl_handle_eq_t gasneti_portals_no_queue(void);
ptl_handle_ct_t gasneti_portals_no_counter(void);
// The process that means any initiator, on a logical interface.
ptl_process_t gasneti_portals_any_rank(void);
// The length of a descriptor or entry that starts at NULL and covers all
// memory.
ptl_size_t gasneti_portals_everything(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif  // CONDUITS_PORTALS_PROVIDER_H_
