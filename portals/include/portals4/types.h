/* Scalars, handles and process identifiers of Portals 4. Include portals4.h. */
#ifndef PORTALS4_TYPES_H_
#define PORTALS4_TYPES_H_

#include <stddef.h>
#include <stdint.h>

/* Lengths and offsets in bytes, and values of counting events. */
typedef uint64_t ptl_size_t;

/* The length of a memory descriptor or an entry that starts at NULL and covers
 * all of the address space. */
#define PTL_SIZE_MAX ((ptl_size_t)0xffffffffffffffffULL)

/* Index of a portal table entry. PTL_PT_ANY asks PtlPTAlloc for a free one. */
typedef uint32_t ptl_pt_index_t;
#define PTL_PT_ANY ((ptl_pt_index_t)0xffffffff)

/* Match bits, which messages and entries carry. They decide if an entry accepts
   a message. */
typedef uint64_t ptl_match_bits_t;

/* 64 bits that the initiator passes, and that arrive in the target's event. */
typedef uint64_t ptl_hdr_data_t;

/* A time limit in milliseconds. PTL_TIME_FOREVER means no limit. */
typedef uint32_t ptl_time_t;
#define PTL_TIME_FOREVER ((ptl_time_t)0xffffffff)

/* Number of a network interface. PTL_IFACE_DEFAULT is the library's choice. */
typedef uint32_t ptl_interface_t;
#define PTL_IFACE_DEFAULT ((ptl_interface_t)0xffffffff)

/* Identifiers: a node, a process on it, a rank in a map, and a user. The ANY
 * values are wildcards of an entry's match_id and uid; PTL_PID_ANY also asks
 * PtlNIInit for any free identifier. A process may ask for identifiers up to
 * PTL_PID_MAX; the library may choose others. */
typedef uint32_t ptl_nid_t;
typedef uint32_t ptl_pid_t;
typedef uint32_t ptl_rank_t;
typedef uint32_t ptl_uid_t;
#define PTL_NID_ANY ((ptl_nid_t)0xffff)
#define PTL_PID_ANY ((ptl_pid_t)0xffff)
#define PTL_PID_MAX ((ptl_pid_t)1024)
#define PTL_RANK_ANY ((ptl_rank_t)0xffffffff)
#define PTL_UID_ANY ((ptl_uid_t)0xffffffff)

/* A process. The field is `rank` on a logical interface, `phys` on a physical
   one. */
typedef union {
  struct {
    ptl_nid_t nid;
    ptl_pid_t pid;
  } phys;
  ptl_rank_t rank;
} ptl_process_t;

/* Handles of objects. A handle contains a generation: once its object is freed,
 * calls with the handle return PTL_ARG_INVALID, even if another object has
 * taken the place of the first. */
typedef uint32_t ptl_handle_any_t;
typedef ptl_handle_any_t ptl_handle_ni_t;
typedef ptl_handle_any_t ptl_handle_eq_t;
typedef ptl_handle_any_t ptl_handle_ct_t;
typedef ptl_handle_any_t ptl_handle_md_t;
typedef ptl_handle_any_t ptl_handle_le_t;
typedef ptl_handle_any_t ptl_handle_me_t;

/* Values that mean no event queue and no counting event, and a handle that no
 * object ever has. */
#define PTL_EQ_NONE ((ptl_handle_eq_t)0x3fffffff)
#define PTL_CT_NONE ((ptl_handle_ct_t)0x5fffffff)
#define PTL_INVALID_HANDLE ((ptl_handle_any_t)0xffffffff)

/* Option of memory descriptors and entries: `start` points at `length` elements
 * of ptl_iovec_t, which together behave like one contiguous region. The array
 * must stay as it is while the object exists. */
#define PTL_IOVEC (1)

typedef struct {
  void *iov_base;
  ptl_size_t iov_len;
} ptl_iovec_t;

#ifdef __cplusplus
extern "C" {
#endif

/* Returns 1 if both handles name the same object, else 0. May be called without
   PtlInit. */
int PtlHandleIsEqual(ptl_handle_any_t handle1, ptl_handle_any_t handle2);

#ifdef __cplusplus
}
#endif

#endif /* PORTALS4_TYPES_H_ */
