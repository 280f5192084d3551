/* Full events and their queues. Include portals4.h. */
#ifndef PORTALS4_EVENTS_H_
#define PORTALS4_EVENTS_H_

#include "entries.h"
#include "operations.h"
#include "returns.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of events. The kinds up to FETCH_ATOMIC_OVERFLOW occur at the
 * target: an operation was done on an entry, or (OVERFLOW) an append found
 * the header of an earlier operation. REPLY, SEND and ACK occur at the
 * initiator. */
typedef uint32_t ptl_event_kind_t;
enum {
  PTL_EVENT_GET = 0,
  PTL_EVENT_GET_OVERFLOW = 1,
  PTL_EVENT_PUT = 2,
  PTL_EVENT_PUT_OVERFLOW = 3,
  PTL_EVENT_ATOMIC = 4,
  PTL_EVENT_ATOMIC_OVERFLOW = 5,
  PTL_EVENT_FETCH_ATOMIC = 6, /* swaps too */
  PTL_EVENT_FETCH_ATOMIC_OVERFLOW = 7,
  PTL_EVENT_REPLY = 8,
  PTL_EVENT_SEND = 9,
  PTL_EVENT_ACK = 10,
  PTL_EVENT_PT_DISABLED = 11, /* flow control disabled a portal table entry */
  PTL_EVENT_LINK = 12,        /* an append is linked */
  PTL_EVENT_AUTO_UNLINK =
      13, /* an entry was used up; after its operations' events */
  PTL_EVENT_AUTO_FREE = 14, /* an unlinked entry has no more headers */
  PTL_EVENT_SEARCH = 15
};

/* An event. Its type decides which fields are valid:
 *
 *   all types: type, ni_fail_type
 *
 *   types of the target: all fields; atomic_* only for atomic operations
 *
 *   REPLY, ACK: user_ptr, mlength, remote_offset (as used), ptl_list
 *
 *   SEND: user_ptr
 *
 *   LINK, AUTO_UNLINK, AUTO_FREE: pt_index, user_ptr
 *
 *   SEARCH that found nothing: pt_index, user_ptr
 *
 *   PT_DISABLED: pt_index */
typedef struct {
  void *start;    /* address of the data in the target's memory */
  void *user_ptr; /* the operation's, or the append's or search's */
  ptl_hdr_data_t hdr_data;
  ptl_match_bits_t match_bits;
  ptl_size_t rlength; /* requested bytes */
  ptl_size_t mlength; /* bytes moved: fewer if the entry had no more room */
  ptl_size_t remote_offset;
  ptl_process_t initiator;
  ptl_uid_t uid; /* the initiator's user */
  ptl_pt_index_t pt_index;
  ptl_event_kind_t type;
  ptl_list_t ptl_list; /* the list the message matched on */
  ptl_ni_fail_t ni_fail_type;
  ptl_op_t atomic_operation;
  ptl_datatype_t atomic_type;
} ptl_event_t;

/* Makes a queue for at least `count` events. A full queue loses its oldest
 * events. But if a portal table entry with flow control uses the queue, that
 * entry is disabled before events are lost. Returns PTL_NO_SPACE if there are
 * max_eqs queues already, or too little memory. */
int PtlEQAlloc(ptl_handle_ni_t ni_handle, ptl_size_t count,
               ptl_handle_eq_t *eq_handle);

/* Frees a queue. No object may still post to the queue. Events of a portal
 * table entry that still uses it are lost. */
int PtlEQFree(ptl_handle_eq_t eq_handle);

/* Takes the next event. Returns one of:
 *
 * - PTL_OK, with the event.
 * - PTL_EQ_DROPPED, with the event, if events before it were lost.
 * - PTL_EQ_EMPTY, without an event. */
int PtlEQGet(ptl_handle_eq_t eq_handle, ptl_event_t *event);

/* Takes the next event as PtlEQGet does, but waits while the queue is empty.
 * Each event wakes one caller. Returns PTL_ABORTED after PtlAbort. */
int PtlEQWait(ptl_handle_eq_t eq_handle, ptl_event_t *event);

/* Takes an event from one of `size` queues of one interface, and stores the
 * index of that queue in *which. Waits for at most `timeout` milliseconds. If
 * several queues have events, the queues take turns. Returns the codes of
 * PtlEQGet, or PTL_ABORTED after PtlAbort. */
int PtlEQPoll(const ptl_handle_eq_t *eq_handles, unsigned int size,
              ptl_time_t timeout, ptl_event_t *event, unsigned int *which);

#ifdef __cplusplus
}
#endif

#endif /* PORTALS4_EVENTS_H_ */
