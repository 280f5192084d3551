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

/* Match bits. Messages and entries carry them. They decide if an entry accepts
   a message. */
typedef uint64_t ptl_match_bits_t;

/* 64 bits that the initiator passes. The target's event contains them. */
typedef uint64_t ptl_hdr_data_t;

/* A time limit in milliseconds. PTL_TIME_FOREVER means no limit. */
typedef uint32_t ptl_time_t;
#define PTL_TIME_FOREVER ((ptl_time_t)0xffffffff)

/* Number of a network interface. PTL_IFACE_DEFAULT is the library's choice. */
typedef uint32_t ptl_interface_t;
#define PTL_IFACE_DEFAULT ((ptl_interface_t)0xffffffff)

/* Identifiers: of a node, of a process on a node, of a rank in a map, and of a
 * user. The ANY values are wildcards of an entry's match_id and uid.
 * PTL_PID_ANY also asks PtlNIInit for any free identifier. A process may ask
 * for identifiers up to PTL_PID_MAX; the library may choose others. */
typedef uint32_t ptl_nid_t;
typedef uint32_t ptl_pid_t;
typedef uint32_t ptl_rank_t;
typedef uint32_t ptl_uid_t;
#define PTL_NID_ANY ((ptl_nid_t)0xffff)
#define PTL_PID_ANY ((ptl_pid_t)0xffff)
#define PTL_PID_MAX ((ptl_pid_t)1024)
#define PTL_RANK_ANY ((ptl_rank_t)0xffffffff)
#define PTL_UID_ANY ((ptl_uid_t)0xffffffff)

/* A process. Use `rank` on a logical interface, and `phys` on a physical
   one. */
typedef union {
  struct {
    ptl_nid_t nid;
    ptl_pid_t pid;
  } phys;
  ptl_rank_t rank;
} ptl_process_t;

/* Handles of objects. A handle contains a generation. Once its object is freed,
 * calls with the handle return PTL_ARG_INVALID, even if a new object has taken
 * the place of the freed one. */
typedef uint32_t ptl_handle_any_t;
typedef ptl_handle_any_t ptl_handle_ni_t;
typedef ptl_handle_any_t ptl_handle_eq_t;
typedef ptl_handle_any_t ptl_handle_ct_t;
typedef ptl_handle_any_t ptl_handle_md_t;
typedef ptl_handle_any_t ptl_handle_le_t;
typedef ptl_handle_any_t ptl_handle_me_t;

/* PTL_EQ_NONE means no event queue, and PTL_CT_NONE no counting event. No
 * object ever has the handle PTL_INVALID_HANDLE. */
#define PTL_EQ_NONE ((ptl_handle_eq_t)0x3fffffff)
#define PTL_CT_NONE ((ptl_handle_ct_t)0x5fffffff)
#define PTL_INVALID_HANDLE ((ptl_handle_any_t)0xffffffff)

/* Option of memory descriptors and entries: `start` points at an array of
 * `length` elements of ptl_iovec_t. Together the elements behave like one
 * contiguous region. The array must not change while the object exists. */
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
