/* List entries and match list entries. They describe the target's memory.
   Include portals4.h.
 */
#ifndef PORTALS4_ENTRIES_H_
#define PORTALS4_ENTRIES_H_

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The lists of a portal table entry, searched in this order. A message that
 * matches on the overflow list leaves a header. A later append to the priority
 * list finds this header. */
typedef uint32_t ptl_list_t;
enum { PTL_PRIORITY_LIST = 0, PTL_OVERFLOW_LIST = 1 };

/* Selects if a search deletes the headers that it finds. */
typedef uint32_t ptl_search_op_t;
enum { PTL_SEARCH_ONLY = 0, PTL_SEARCH_DELETE = 1 };

/* Options of entries, besides PTL_IOVEC. Atomic operations need OP_PUT. Atomic
 * operations that fetch also need OP_GET. The DISABLE options for events do not
 * affect acknowledgements. */
#define PTL_ME_OP_PUT (1 << 1)
#define PTL_ME_OP_GET (1 << 2)
#define PTL_ME_USE_ONCE (1 << 3) /* unlinked by the first operation */
#define PTL_ME_UNEXPECTED_HDR_DISABLE (1 << 4) /* leave no headers */
#define PTL_ME_IS_ACCESSIBLE (1 << 5) /* all of the memory is present */
#define PTL_ME_EVENT_LINK_DISABLE (1 << 6)
#define PTL_ME_EVENT_COMM_DISABLE (1 << 7) /* PUT, GET, atomics */
#define PTL_ME_EVENT_FLOWCTRL_DISABLE (1 << 8)
#define PTL_ME_EVENT_SUCCESS_DISABLE (1 << 9) /* all but failures */
#define PTL_ME_EVENT_OVER_DISABLE (1 << 10)   /* PUT_OVERFLOW and others */
#define PTL_ME_EVENT_UNLINK_DISABLE (1 << 11) /* AUTO_UNLINK, AUTO_FREE */
#define PTL_ME_EVENT_CT_COMM (1 << 12)     /* the counter counts operations */
#define PTL_ME_EVENT_CT_OVERFLOW (1 << 13) /* it counts headers found too */
#define PTL_ME_EVENT_CT_BYTES (1 << 14)    /* it counts bytes instead */
#define PTL_ME_MANAGE_LOCAL \
  (1 << 15) /* messages are packed one behind the other; matching only */
#define PTL_ME_NO_TRUNCATE (1 << 16) /* matches no message that is too long */
#define PTL_ME_MAY_ALIGN \
  (1 << 17) /* gaps are allowed between packed messages */
#define PTL_ME_LOCAL_INC_UH_RLENGTH \
  (1 << 18) /* headers that an append finds use up room too */
#define PTL_ME_APPEND_OPTIONS_MASK ((1 << 19) - 1)

#define PTL_LE_OP_PUT PTL_ME_OP_PUT
#define PTL_LE_OP_GET PTL_ME_OP_GET
#define PTL_LE_USE_ONCE PTL_ME_USE_ONCE
#define PTL_LE_UNEXPECTED_HDR_DISABLE PTL_ME_UNEXPECTED_HDR_DISABLE
#define PTL_LE_IS_ACCESSIBLE PTL_ME_IS_ACCESSIBLE
#define PTL_LE_EVENT_LINK_DISABLE PTL_ME_EVENT_LINK_DISABLE
#define PTL_LE_EVENT_COMM_DISABLE PTL_ME_EVENT_COMM_DISABLE
#define PTL_LE_EVENT_FLOWCTRL_DISABLE PTL_ME_EVENT_FLOWCTRL_DISABLE
#define PTL_LE_EVENT_SUCCESS_DISABLE PTL_ME_EVENT_SUCCESS_DISABLE
#define PTL_LE_EVENT_OVER_DISABLE PTL_ME_EVENT_OVER_DISABLE
#define PTL_LE_EVENT_UNLINK_DISABLE PTL_ME_EVENT_UNLINK_DISABLE
#define PTL_LE_EVENT_CT_COMM PTL_ME_EVENT_CT_COMM
#define PTL_LE_EVENT_CT_OVERFLOW PTL_ME_EVENT_CT_OVERFLOW
#define PTL_LE_EVENT_CT_BYTES PTL_ME_EVENT_CT_BYTES
#define PTL_LE_APPEND_OPTIONS_MASK ((1 << 15) - 1)

/* An entry of an interface without matching. */
typedef struct {
  void *start;
  ptl_size_t length;         /* bytes, or elements with PTL_IOVEC */
  ptl_handle_ct_t ct_handle; /* or PTL_CT_NONE */
  ptl_uid_t uid;             /* the only user that may use it, or PTL_UID_ANY */
  unsigned int options;
} ptl_le_t;

/* An entry of an interface with matching. The entry matches messages from
 * `match_id`. Their match bits must equal `match_bits` wherever `ignore_bits`
 * has zeros. */
typedef struct {
  void *start;
  ptl_size_t length;
  ptl_handle_ct_t ct_handle;
  ptl_uid_t uid;
  unsigned int options;
  ptl_process_t match_id;
  ptl_match_bits_t match_bits;
  ptl_match_bits_t ignore_bits;
  ptl_size_t
      min_free; /* MANAGE_LOCAL: unlinked when less room than this is left */
} ptl_me_t;

/* Appends an entry to a list of a portal table entry. The events of the entry
 * carry `user_ptr`. PTL_EVENT_LINK reports that the entry is linked.
 *
 * An append to the priority list first takes the matching headers of messages
 * that arrived before. An _OVERFLOW event reports each of them. With USE_ONCE
 * the first header uses the entry up: the entry is never linked, and
 * AUTO_UNLINK follows.
 *
 * Returns PTL_ARG_INVALID for a bad index, bad options, or the wrong kind of
 * interface: LE functions need one without matching, ME functions one with
 * matching. Returns PTL_NO_SPACE above a limit. */
int PtlLEAppend(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index,
                const ptl_le_t *le, ptl_list_t ptl_list, void *user_ptr,
                ptl_handle_le_t *le_handle);
int PtlMEAppend(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index,
                const ptl_me_t *me, ptl_list_t ptl_list, void *user_ptr,
                ptl_handle_me_t *me_handle);

/* Removes an entry; posts no event. Waits up to a tenth of a second for
 * operations that work on the entry. Returns PTL_IN_USE if an operation still
 * works on the entry, or if unexpected headers refer to it. Then try again
 * later, or take the headers. Returns PTL_ARG_INVALID if the entry was unlinked
 * already. */
int PtlLEUnlink(ptl_handle_le_t le_handle);
int PtlMEUnlink(ptl_handle_me_t me_handle);

/* Looks for the headers that an append of this entry to the priority list would
 * find. With USE_ONCE, looks only for the first.
 *
 * PTL_SEARCH_ONLY leaves the headers. It posts PTL_EVENT_SEARCH for the first
 * header, and for each later one whose data has arrived. PTL_SEARCH_DELETE
 * takes the headers, and posts the events that an append would post. If there
 * are no headers, both post PTL_EVENT_SEARCH with PTL_NI_NO_MATCH.
 *
 * With CT_OVERFLOW the counter counts each header found as a success, and the
 * end of the search as a failure. With USE_ONCE, it counts the end only if no
 * header was found. The search is over and counted when the call returns. */
int PtlLESearch(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index,
                const ptl_le_t *le, ptl_search_op_t ptl_search_op,
                void *user_ptr);
int PtlMESearch(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index,
                const ptl_me_t *me, ptl_search_op_t ptl_search_op,
                void *user_ptr);

#ifdef __cplusplus
}
#endif

#endif /* PORTALS4_ENTRIES_H_ */
