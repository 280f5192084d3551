/* Memory descriptors. They describe the initiator's memory. Include
   portals4.h. */
#ifndef PORTALS4_MEMORY_H_
#define PORTALS4_MEMORY_H_

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Options of a memory descriptor, besides PTL_IOVEC. The DISABLE options hide
 * events from the queue, but never failures. The CT options make the counter
 * count the named events. With PTL_MD_EVENT_CT_BYTES it counts their bytes.
 * Each failed event counts as one failure. */
#define PTL_MD_EVENT_SUCCESS_DISABLE (1 << 1)
#define PTL_MD_EVENT_SEND_DISABLE (1 << 2)
#define PTL_MD_EVENT_CT_SEND (1 << 3)
#define PTL_MD_EVENT_CT_REPLY (1 << 4)
#define PTL_MD_EVENT_CT_ACK (1 << 5)
#define PTL_MD_UNORDERED (1 << 6) /* messages need no order */
#define PTL_MD_VOLATILE \
  (1 << 7) /* the source may change when the call returns */
#define PTL_MD_UNRELIABLE \
  (1 << 8) /* puts without acknowledgement may be lost */
#define PTL_MD_EVENT_CT_BYTES (1 << 14)
#define PTL_MD_OPTIONS_MASK (((1 << 9) - 1) | PTL_MD_EVENT_CT_BYTES)

/* Memory of this process, [start, start + length). The queue and the counter
 * report the operations on this memory. With PTL_IOVEC, `length` is the number
 * of iovec elements at `start`. */
typedef struct {
  void *start;
  ptl_size_t length;
  unsigned int options;
  ptl_handle_eq_t eq_handle; /* or PTL_EQ_NONE */
  ptl_handle_ct_t ct_handle; /* or PTL_CT_NONE */
} ptl_md_t;

/* Makes a descriptor from a copy of `md`. Memory that operations only read may
 * be read-only. The memory need not exist before an operation uses it: start
 * NULL with length PTL_SIZE_MAX covers the whole address space. Returns
 * PTL_ARG_INVALID for bad options or handles, and PTL_NO_SPACE if there are
 * max_mds descriptors already. */
int PtlMDBind(ptl_handle_ni_t ni_handle, const ptl_md_t *md,
              ptl_handle_md_t *md_handle);

/* Frees a descriptor. Waits up to a tenth of a second for pending operations
 * on the descriptor. Returns PTL_IN_USE if some operations are still pending
 * then. */
int PtlMDRelease(ptl_handle_md_t md_handle);

#ifdef __cplusplus
}
#endif

#endif /* PORTALS4_MEMORY_H_ */
