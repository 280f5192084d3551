/* Initialisation, network interfaces, limits, identities. Include portals4.h.
 */
#ifndef PORTALS4_INTERFACE_H_
#define PORTALS4_INTERFACE_H_

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens the library. The library counts the calls, so each call needs a
 * PtlFini. In a forked child the count begins at zero again. Returns PTL_OK or
 * PTL_FAIL. */
int PtlInit(void);

/* Undoes one PtlInit. The last PtlFini frees all interfaces and their objects.
 * Operations of peers on this process then end with PTL_NI_UNDELIVERABLE. */
void PtlFini(void);

/* Ends all waits: from now on PtlEQWait, PtlEQPoll, PtlCTWait and PtlCTPoll of
 * this process return PTL_ABORTED. Also ends waits that have begun, and waits
 * on a queue or counter that has been freed. A program calls PtlAbort before it
 * frees queues and counters for which other threads may be waiting. */
void PtlAbort(void);

/* Options of PtlNIInit. A program passes one of the first two and one of the
 * last two. A matching interface takes match list entries; an interface without
 * matching takes list entries. A logical interface names processes by their
 * rank in the map; a physical interface names them by node and process. */
#define PTL_NI_MATCHING (1 << 0)
#define PTL_NI_NO_MATCHING (1 << 1)
#define PTL_NI_LOGICAL (1 << 2)
#define PTL_NI_PHYSICAL (1 << 3)
#define PTL_NI_INIT_OPTIONS_MASK ((1 << 4) - 1)

/* Features of an interface (ptl_ni_limits_t). */
#define PTL_TARGET_BIND_INACCESSIBLE \
  (1 << 0) /* entries may cover missing memory */
#define PTL_TOTAL_DATA_ORDERING \
  (1 << 1) /* data to different addresses is ordered too */
#define PTL_COHERENT_ATOMICS \
  (1 << 2) /* atomic with the processor's operations */

/* The limits of an interface, as requested or as granted. */
typedef struct {
  int max_entries;            /* entries on lists, all together */
  int max_unexpected_headers; /* of the interface */
  int max_mds;
  int max_cts;
  int max_eqs;
  int max_pt_index;        /* the largest index, not the number */
  int max_iovecs;          /* elements of one array */
  int max_list_size;       /* entries on the lists of one portal table entry */
  int max_triggered_ops;   /* waiting at one time */
  ptl_size_t max_msg_size; /* bytes of a put or get */
  ptl_size_t max_atomic_size; /* bytes of an atomic */
  ptl_size_t max_fetch_atomic_size;
  ptl_size_t
      max_waw_ordered_size; /* longest message whose writes are ordered */
  ptl_size_t max_war_ordered_size; /* the same, of a write after a read */
  ptl_size_t max_volatile_size;    /* bytes of a put with PTL_MD_VOLATILE */
  unsigned int features;
} ptl_ni_limits_t;

/* Opens the interface `iface` as one of its four kinds. All kinds of an
 * interface in a process have the same node and process identifiers. A further
 * call for the same kind counts as one more use. It returns the handle and
 * limits of the first call, and ignores `pid` and `desired`.
 *
 * - desired: the requested limits; NULL: the library's limits. A limit above
 *   the library's maximum is lowered to that. A limit that is not above 0
 *   becomes the minimum that Portals 4 promises.
 * - actual: unless NULL, receives the granted limits.
 * - pid: at most PTL_PID_MAX, or PTL_PID_ANY.
 *
 * Returns PTL_ARG_INVALID for bad options, a larger `pid`, or an unknown
 * interface; PTL_PID_IN_USE if the identifier is taken; PTL_NO_SPACE. */
int PtlNIInit(ptl_interface_t iface, unsigned int options, ptl_pid_t pid,
              const ptl_ni_limits_t *desired, ptl_ni_limits_t *actual,
              ptl_handle_ni_t *ni_handle);

/* Undoes one PtlNIInit. The last PtlNIFini frees the interface's objects.
 * Operations in progress end at once, and their events may be lost. */
int PtlNIFini(ptl_handle_ni_t ni_handle);

/* Status registers. PTL_SR_DROP_COUNT counts messages that were dropped. The
 * other two count messages that were refused because of their user or their
 * operation. */
typedef int ptl_sr_value_t;
typedef enum {
  PTL_SR_DROP_COUNT,
  PTL_SR_PERMISSION_VIOLATIONS,
  PTL_SR_OPERATION_VIOLATIONS
} ptl_sr_index_t;
#define PTL_SR_LAST (PTL_SR_OPERATION_VIOLATIONS + 1)

/* Reads a status register into *status. */
int PtlNIStatus(ptl_handle_ni_t ni_handle, ptl_sr_index_t status_register,
                ptl_sr_value_t *status);

/* Stores in *ni_handle the interface to which an object belongs. An interface
 * belongs to itself. */
int PtlNIHandle(ptl_handle_any_t handle, ptl_handle_ni_t *ni_handle);

/* Sets the map of a logical interface: the physical identifiers of `map_size`
 * processes, indexed by rank. The map must be set before any operation. A later
 * call replaces the map. Returns PTL_ARG_INVALID on a physical interface, for
 * an empty map, or for NULL; PTL_IGNORED if ranks are assigned elsewhere;
 * PTL_NO_SPACE. */
int PtlSetMap(ptl_handle_ni_t ni_handle, ptl_size_t map_size,
              const ptl_process_t *mapping);

/* Copies at most `map_size` elements of the map. Stores the number of elements
 * of the whole map in *actual_map_size. Returns PTL_ARG_INVALID on a physical
 * interface. */
int PtlGetMap(ptl_handle_ni_t ni_handle, ptl_size_t map_size,
              ptl_process_t *mapping, ptl_size_t *actual_map_size);

/* Stores in *uid the user that this process's messages carry. */
int PtlGetUid(ptl_handle_ni_t ni_handle, ptl_uid_t *uid);

/* Stores the identifier of this process. On a logical interface this is its
 * rank, or PTL_RANK_ANY without a map that contains the process. On a physical
 * interface it is the identifiers of its node and process. */
int PtlGetId(ptl_handle_ni_t ni_handle, ptl_process_t *id);

/* Stores the node and process identifiers of this process, on both kinds of
   interface. */
int PtlGetPhysId(ptl_handle_ni_t ni_handle, ptl_process_t *id);

#ifdef __cplusplus
}
#endif

#endif /* PORTALS4_INTERFACE_H_ */
