/* Portal table entries. Include portals4.h. */
#ifndef PORTALS4_TABLE_H_
#define PORTALS4_TABLE_H_

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Options of PtlPTAlloc. The first two, and the last, are promises of the
 * caller. */
#define PTL_PT_ONLY_USE_ONCE \
  (1 << 0) /* all entries are use-once or locally managed */
#define PTL_PT_FLOWCTRL (1 << 1)        /* disable instead of drop */
#define PTL_PT_ONLY_TRUNCATE (1 << 2)   /* no entry has PTL_ME_NO_TRUNCATE */
#define PTL_PT_ALLOC_DISABLED (1 << 3)  /* enabled by PtlPTEnable */
#define PTL_PT_MATCH_UNORDERED (1 << 4) /* messages may match in any order */
#define PTL_PT_ALLOC_OPTIONS_MASK ((1 << 5) - 1)

/* Allocates `pt_index_req`, or with PTL_PT_ANY the lowest free index, and
 * stores it in *pt_index. Events of its entries go to `eq_handle`, or nowhere
 * with PTL_EQ_NONE.
 *
 * With PTL_PT_FLOWCTRL a message disables the entry, before anything is
 * consumed, if it finds no list entry, no room for an unexpected header, or no
 * room for its events. One PTL_EVENT_PT_DISABLED is posted, for which the queue
 * keeps room. This message and later ones end with PTL_NI_PT_DISABLED at their
 * initiators.
 *
 * Returns PTL_ARG_INVALID for an index above max_pt_index or bad options,
 * PTL_PT_EQ_NEEDED, PTL_PT_IN_USE, PTL_PT_FULL. */
int PtlPTAlloc(ptl_handle_ni_t ni_handle, unsigned int options,
               ptl_handle_eq_t eq_handle, ptl_pt_index_t pt_index_req,
               ptl_pt_index_t *pt_index);

/* Frees a portal table entry. Returns PTL_IN_USE while list entries are
 * attached, PTL_ARG_INVALID for an index that is not allocated. */
int PtlPTFree(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index);

/* Refuses new messages. Returns when earlier ones are done and their events
 * posted. Posts no event. Meanwhile entries can be appended and searched
 * for, and replies to this process's own operations still arrive. */
int PtlPTDisable(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index);

/* Accepts messages again, from its return on. */
int PtlPTEnable(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index);

#ifdef __cplusplus
}
#endif

#endif /* PORTALS4_TABLE_H_ */
