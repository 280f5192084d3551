/* List entries and match list entries: the target's memory. Include portals4.h.
 */
#ifndef PORTALS4_ENTRIES_H_
#define PORTALS4_ENTRIES_H_

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The lists of a portal table entry, walked in this order. Messages that match
 * on the overflow list leave a header, which appends to the priority list find.
 */
typedef uint32_t ptl_list_t;
enum { PTL_PRIORITY_LIST = 0, PTL_OVERFLOW_LIST = 1 };

/* The use of the headers that a search finds. */
typedef uint32_t ptl_search_op_t;
enum { PTL_SEARCH_ONLY = 0, PTL_SEARCH_DELETE = 1 };

/* Options of entries, with PTL_IOVEC. Atomic operations need OP_PUT, those that
 * fetch OP_PUT and OP_GET. Disabling hides events, not acknowledgements. */
#define PTL_ME_OP_PUT (1 << 1)
#define PTL_ME_OP_GET (1 << 2)
#define PTL_ME_USE_ONCE (1 << 3) /* unlinked by the first operation */
#define PTL_ME_UNEXPECTED_HDR_DISABLE                               \
  (1 << 4)                            /* overflow: leave no headers \
                                       */
#define PTL_ME_IS_ACCESSIBLE (1 << 5) /* all of the memory is there */
#define PTL_ME_EVENT_LINK_DISABLE (1 << 6)
#define PTL_ME_EVENT_COMM_DISABLE            \
  (1 << 7) /* PUT, GET, ATOMIC, FETCH_ATOMIC \
            */
#define PTL_ME_EVENT_FLOWCTRL_DISABLE (1 << 8)
#define PTL_ME_EVENT_SUCCESS_DISABLE (1 << 9) /* all but failures */
#define PTL_ME_EVENT_OVER_DISABLE (1 << 10)   /* PUT_OVERFLOW and the like */
#define PTL_ME_EVENT_UNLINK_DISABLE (1 << 11) /* AUTO_UNLINK, AUTO_FREE */
#define PTL_ME_EVENT_CT_COMM (1 << 12)     /* the counter counts operations */
#define PTL_ME_EVENT_CT_OVERFLOW (1 << 13) /* and headers found */
#define PTL_ME_EVENT_CT_BYTES (1 << 14)    /* as bytes */
#define PTL_ME_MANAGE_LOCAL \
  (1 << 15) /* packed one behind the other; matching only */
#define PTL_ME_NO_TRUNCATE (1 << 16) /* does not match what is too long */
#define PTL_ME_MAY_ALIGN \
  (1 << 17) /* gaps are allowed between packed messages */
#define PTL_ME_LOCAL_INC_UH_RLENGTH \
  (1 << 18) /* headers found use up room too */
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
  ptl_uid_t uid;             /* who may use it, or PTL_UID_ANY */
  unsigned int options;
} ptl_le_t;

/* An entry of an interface with matching: it takes messages of `match_id` whose
 * bits equal `match_bits` where `ignore_bits` has zeros. */
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

/* Appends to a list of a portal table entry; events carry `user_ptr`. When it
 * is linked, PTL_EVENT_LINK says so.
 *
 * An append to the priority list first takes the headers of messages that came
 * before and match, each reported by one of the _OVERFLOW events. With USE_ONCE
 * the first one uses the entry up: it is never linked, and AUTO_UNLINK follows.
 *
 * Answers PTL_ARG_INVALID for a bad index, options, or kind of interface (LE
 * wants one without matching, ME one with); PTL_NO_SPACE above a limit. */
int PtlLEAppend(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index,
                const ptl_le_t *le, ptl_list_t ptl_list, void *user_ptr,
                ptl_handle_le_t *le_handle);
int PtlMEAppend(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index,
                const ptl_me_t *me, ptl_list_t ptl_list, void *user_ptr,
                ptl_handle_me_t *me_handle);

/* Removes an entry; no event. Waits for operations that work on it, for a tenth
 * of a second at most. Answers PTL_IN_USE while one does or unexpected headers
 * lie in it (try again later, or take them), and PTL_ARG_INVALID when it was
 * unlinked already. */
int PtlLEUnlink(ptl_handle_le_t le_handle);
int PtlMEUnlink(ptl_handle_me_t me_handle);

/* Looks for the headers that an append of this entry to the priority list would
 * find: all, or the first with USE_ONCE. PTL_SEARCH_ONLY leaves them and posts
 * PTL_EVENT_SEARCH for each, behind the first only for those whose data is
 * there; PTL_SEARCH_DELETE takes them, and posts what an append would. Where
 * there are none, PTL_EVENT_SEARCH with PTL_NI_NO_MATCH is posted. With
 * CT_OVERFLOW the counter counts those found as successes and the end as a
 * failure (with USE_ONCE only if there was none); it has when the call returns.
 */
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
