#include "conduits/portals/provider.h"

ptl_handle_eq_t gasneti_portals_no_queue(void) { return PTL_EQ_NONE; }

ptl_handle_ct_t gasneti_portals_no_counter(void) { return PTL_CT_NONE; }

ptl_process_t gasneti_portals_any_rank(void) {
  ptl_process_t any;
  any.rank = PTL_RANK_ANY;
  return any;
}

ptl_size_t gasneti_portals_everything(void) { return PTL_SIZE_MAX; }
