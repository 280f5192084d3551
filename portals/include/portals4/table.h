/* Portal table entries. Include portals4.h. */
#ifndef PORTALS4_TABLE_H_
#define PORTALS4_TABLE_H_

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Options of PtlPTAlloc. ONLY_USE_ONCE, ONLY_TRUNCATE and MATCH_UNORDERED are
 * promises of the caller. */
#define PTL_PT_ONLY_USE_ONCE \
  (1 << 0) /* all entries are use-once or locally managed */
#define PTL_PT_FLOWCTRL (1 << 1)        /* disable instead of drop */
#define PTL_PT_ONLY_TRUNCATE (1 << 2)   /* no entry has PTL_ME_NO_TRUNCATE */
#define PTL_PT_ALLOC_DISABLED (1 << 3)  /* enabled by PtlPTEnable */
#define PTL_PT_MATCH_UNORDERED (1 << 4) /* messages may match in any order */
#define PTL_PT_ALLOC_OPTIONS_MASK ((1 << 5) - 1)

/* Allocates the index `pt_index_req`, or with PTL_PT_ANY the lowest free index,
 * and stores it in *pt_index. Events of the portal table entry go to
 * `eq_handle`, or nowhere with PTL_EQ_NONE.
 *
 * With PTL_PT_FLOWCTRL a message disables the portal table entry, before
 * anything is consumed, if one of these is missing:
 *
 * - a list entry that matches
 * - room for an unexpected header
 * - room for the events of the message
 *
 * One PTL_EVENT_PT_DISABLED is posted; the queue keeps room for this event.
 * This message and later ones end with PTL_NI_PT_DISABLED at their initiators.
 *
 * Returns PTL_ARG_INVALID for an index above max_pt_index or bad options,
 * PTL_PT_EQ_NEEDED, PTL_PT_IN_USE, PTL_PT_FULL. */
int PtlPTAlloc(ptl_handle_ni_t ni_handle, unsigned int options,
               ptl_handle_eq_t eq_handle, ptl_pt_index_t pt_index_req,
               ptl_pt_index_t *pt_index);

/* Frees a portal table entry. Returns PTL_IN_USE while list entries are
 * attached, and PTL_ARG_INVALID for an index that is not allocated. */
int PtlPTFree(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index);

/* Disables a portal table entry: from now on it refuses new messages. Returns
 * when earlier messages are done and their events are posted. Posts no event of
 * its own. While the portal table entry is disabled, list entries can be
 * appended and searched for. Replies to this process's own operations still
 * arrive. */
int PtlPTDisable(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index);

/* Enables a portal table entry. The entry accepts messages again once the call
   returns. */
int PtlPTEnable(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index);

#ifdef __cplusplus
}
#endif

#endif /* PORTALS4_TABLE_H_ */
