// The only header through which the conduit sees Portals 4, of any vendor.
//
// The headers of vendors differ:
//
// - Handles are numbers in one header and structures in another.
// - Some headers do not declare C linkage for C++.
// - Some constants are literals that C++ rejects.
// - No two headers agree on values.
//
// So only this header includes portals4.h, and the conduit only copies handles
// and passes them on. Constants that may be more than integers come from a C
// file, provider_constants.c.
#ifndef CONDUITS_PORTALS_PROVIDER_H_
#define CONDUITS_PORTALS_PROVIDER_H_

#ifdef __cplusplus
extern "C" {
#endif

#include <portals4.h>

// These functions are visible only in this library.
#pragma GCC visibility push(hidden)

// Return PTL_EQ_NONE and PTL_CT_NONE.
ptl_handle_eq_t gasneti_portals_no_queue(void);
ptl_handle_ct_t gasneti_portals_no_counter(void);
// Returns the process that stands for any initiator, on a logical interface.
ptl_process_t gasneti_portals_any_rank(void);
// Returns the length of a descriptor or entry that starts at NULL and covers
// all memory.
ptl_size_t gasneti_portals_everything(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif  // CONDUITS_PORTALS_PROVIDER_H_
