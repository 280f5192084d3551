/* Counting events. Include portals4.h. */
#ifndef PORTALS4_COUNTERS_H_
#define PORTALS4_COUNTERS_H_

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The value of a counter: the number of events (or bytes) that succeeded, and
   the number of failures. */
typedef struct {
  ptl_size_t success;
  ptl_size_t failure;
} ptl_ct_event_t;

/* Makes a counter whose value is zero. Returns PTL_NO_SPACE if there are
   max_cts counters already. */
int PtlCTAlloc(ptl_handle_ni_t ni_handle, ptl_handle_ct_t *ct_handle);

/* Frees a counter, and forgets the operations that wait for it. No object may
 * still use the counter. */
int PtlCTFree(ptl_handle_ct_t ct_handle);

/* Forgets the triggered operations that wait for a counter and have not begun.
 */
int PtlCTCancelTriggered(ptl_handle_ct_t ct_handle);

/* Reads a counter. It reads the two halves one after the other, but never
 * combines halves of two different values that PtlCTSet stored. */
int PtlCTGet(ptl_handle_ct_t ct_handle, ptl_ct_event_t *event);

/* Waits until success is at least `test`, or failure is not 0. Stores the
 * counter's value in *event. Returns PTL_ABORTED after PtlAbort. */
int PtlCTWait(ptl_handle_ct_t ct_handle, ptl_size_t test,
              ptl_ct_event_t *event);

/* Waits until one of `size` counters has reached its element of `tests` or has
 * a failure, but at most `timeout` milliseconds. Stores the value of that
 * counter, and its index in *which. All counters belong to one interface.
 * Returns PTL_CT_NONE_REACHED when the time is up, and PTL_ABORTED after
 * PtlAbort. */
int PtlCTPoll(const ptl_handle_ct_t *ct_handles, const ptl_size_t *tests,
              unsigned int size, ptl_time_t timeout, ptl_ct_event_t *event,
              unsigned int *which);

/* Replaces success and failure at once for all threads that read or wait. May
 * trigger operations. A simultaneous increment is added to the new value, or
 * lost. */
int PtlCTSet(ptl_handle_ct_t ct_handle, ptl_ct_event_t new_ct);

/* Adds to success or to failure. Returns PTL_ARG_INVALID if both parts of
 * `increment` are not 0. May trigger operations. ptl_size_t has no sign and
 * sums wrap around: to subtract, add the two's complement. A sum below 0 is
 * greater than every threshold. */
int PtlCTInc(ptl_handle_ct_t ct_handle, ptl_ct_event_t increment);

#ifdef __cplusplus
}
#endif

#endif /* PORTALS4_COUNTERS_H_ */
