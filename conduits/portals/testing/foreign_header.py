"""Generates a portals4.h that differs from that of this repository's software Portals
as much as the interface permits.

Handles are structures. The constants that handles are compared with are literals that
C++ rejects. No function declares its linkage, and a seed chooses other values for all
constants. Code that compiles with both headers depends on the details of neither.

usage: foreign_header.py SEED > portals4.h
"""

import random
import sys

# Constants whose values only have to differ from each other within a group.
ENUMS = {
    "ptl_ack_req_t": "NO_ACK_REQ ACK_REQ CT_ACK_REQ OC_ACK_REQ",
    "ptl_list_t": "PRIORITY_LIST OVERFLOW_LIST",
    "ptl_search_op_t": "SEARCH_ONLY SEARCH_DELETE",
    "ptl_op_t": "MIN MAX SUM PROD LOR LAND BOR BAND LXOR BXOR SWAP CSWAP",
    "ptl_datatype_t": (
        "INT8_T UINT8_T INT32_T UINT32_T INT64_T UINT64_T FLOAT DOUBLE"),
    "ptl_event_kind_t": (
        "EVENT_GET EVENT_GET_OVERFLOW EVENT_PUT EVENT_PUT_OVERFLOW EVENT_ATOMIC "
        "EVENT_ATOMIC_OVERFLOW EVENT_FETCH_ATOMIC EVENT_FETCH_ATOMIC_OVERFLOW "
        "EVENT_REPLY EVENT_SEND EVENT_ACK EVENT_PT_DISABLED EVENT_LINK "
        "EVENT_AUTO_UNLINK EVENT_AUTO_FREE EVENT_SEARCH"),
    "ptl_ni_fail_t": (
        "NI_OK NI_UNDELIVERABLE NI_DROPPED NI_PT_DISABLED NI_PERM_VIOLATION "
        "NI_OP_VIOLATION NI_NO_MATCH NI_SEGV"),
    "ptl_retvals_t": (
        "OK ARG_INVALID CT_NONE_REACHED EQ_DROPPED EQ_EMPTY FAIL IGNORED IN_USE "
        "LIST_TOO_LONG NO_INIT NO_SPACE PID_IN_USE PT_FULL PT_EQ_NEEDED "
        "PT_IN_USE ABORTED"),
}

# Constants that have one bit each, different within a group.
OPTIONS = [
    "TARGET_BIND_INACCESSIBLE TOTAL_DATA_ORDERING COHERENT_ATOMICS",
    "PT_ONLY_USE_ONCE PT_FLOWCTRL PT_ONLY_TRUNCATE PT_ALLOC_DISABLED "
    "PT_MATCH_UNORDERED",
    "MD_EVENT_SUCCESS_DISABLE MD_EVENT_SEND_DISABLE MD_EVENT_CT_SEND "
    "MD_EVENT_CT_REPLY MD_EVENT_CT_ACK MD_UNORDERED MD_VOLATILE MD_UNRELIABLE "
    "MD_EVENT_CT_BYTES",
    "ME_OP_PUT ME_OP_GET ME_USE_ONCE ME_UNEXPECTED_HDR_DISABLE "
    "ME_IS_ACCESSIBLE ME_EVENT_LINK_DISABLE ME_EVENT_COMM_DISABLE "
    "ME_EVENT_FLOWCTRL_DISABLE ME_EVENT_SUCCESS_DISABLE ME_EVENT_OVER_DISABLE "
    "ME_EVENT_UNLINK_DISABLE ME_EVENT_CT_COMM ME_EVENT_CT_OVERFLOW "
    "ME_EVENT_CT_BYTES ME_MANAGE_LOCAL ME_NO_TRUNCATE ME_MAY_ALIGN",
]

HANDLES = ["any", "ni", "eq", "ct", "md", "le", "me"]

TYPES = """
typedef uint64_t ptl_size_t;
typedef int ptl_pt_index_t;
typedef uint64_t ptl_match_bits_t;
typedef uint64_t ptl_hdr_data_t;
typedef long ptl_time_t;
typedef int ptl_interface_t;
typedef uint32_t ptl_nid_t;
typedef int ptl_pid_t;
typedef uint32_t ptl_rank_t;
typedef uint32_t ptl_uid_t;
typedef union {
  ptl_rank_t rank;
  struct { ptl_pid_t pid; ptl_nid_t nid; } phys;
} ptl_process_t;

#define PTL_SIZE_MAX ((ptl_size_t)((1ULL << 48) - 1))
#define PTL_IFACE_DEFAULT (-1)
#define PTL_PID_ANY 0
#define PTL_NID_ANY 0
#define PTL_RANK_ANY 0x7fffff
#define PTL_UID_ANY 0xffff
#define PTL_PT_ANY (-1)
#define PTL_NI_MATCHING 2
#define PTL_NI_NO_MATCHING 0
#define PTL_NI_LOGICAL 0
#define PTL_NI_PHYSICAL 1
"""

STRUCTURES = """
typedef struct {
  unsigned int features;
  ptl_size_t max_volatile_size, max_war_ordered_size, max_waw_ordered_size;
  ptl_size_t max_fetch_atomic_size, max_atomic_size, max_msg_size;
  int max_triggered_ops, max_list_size, max_iovecs, max_pt_index, max_eqs;
  int max_cts, max_mds, max_unexpected_headers, max_entries;
} ptl_ni_limits_t;

typedef struct {
  ptl_handle_ct_t ct_handle;
  ptl_handle_eq_t eq_handle;
  unsigned int options;
  ptl_size_t length;
  void *start;
} ptl_md_t;

typedef struct {
  ptl_match_bits_t ignore_bits, match_bits;
  ptl_process_t match_id;
  ptl_size_t min_free;
  unsigned int options;
  ptl_uid_t uid;
  ptl_handle_ct_t ct_handle;
  ptl_size_t length;
  void *start;
} ptl_me_t;

typedef struct { uint64_t failure, success; } ptl_ct_event_t;

typedef struct {
  ptl_event_kind_t type;
  ptl_ni_fail_t ni_fail_type;
  ptl_process_t initiator;
  ptl_uid_t uid;
  ptl_pt_index_t pt_index;
  ptl_match_bits_t match_bits;
  ptl_hdr_data_t hdr_data;
  ptl_size_t rlength, mlength, remote_offset;
  void *start, *user_ptr;
  ptl_list_t ptl_list;
  ptl_op_t atomic_operation;
  ptl_datatype_t atomic_type;
} ptl_event_t;

int PtlInit(void);
void PtlFini(void);
int PtlNIInit(ptl_interface_t, unsigned int, ptl_pid_t, const ptl_ni_limits_t *,
              ptl_ni_limits_t *, ptl_handle_ni_t *);
int PtlNIFini(ptl_handle_ni_t);
int PtlSetMap(ptl_handle_ni_t, ptl_size_t, const ptl_process_t *);
int PtlGetUid(ptl_handle_ni_t, ptl_uid_t *);
int PtlGetId(ptl_handle_ni_t, ptl_process_t *);
int PtlGetPhysId(ptl_handle_ni_t, ptl_process_t *);
int PtlPTAlloc(ptl_handle_ni_t, unsigned int, ptl_handle_eq_t, ptl_pt_index_t,
               ptl_pt_index_t *);
int PtlPTFree(ptl_handle_ni_t, ptl_pt_index_t);
int PtlPTDisable(ptl_handle_ni_t, ptl_pt_index_t);
int PtlPTEnable(ptl_handle_ni_t, ptl_pt_index_t);
int PtlMDBind(ptl_handle_ni_t, const ptl_md_t *, ptl_handle_md_t *);
int PtlMDRelease(ptl_handle_md_t);
int PtlMEAppend(ptl_handle_ni_t, ptl_pt_index_t, const ptl_me_t *, ptl_list_t,
                void *, ptl_handle_me_t *);
int PtlMEUnlink(ptl_handle_me_t);
int PtlEQAlloc(ptl_handle_ni_t, ptl_size_t, ptl_handle_eq_t *);
int PtlEQFree(ptl_handle_eq_t);
int PtlEQGet(ptl_handle_eq_t, ptl_event_t *);
int PtlEQPoll(const ptl_handle_eq_t *, unsigned int, ptl_time_t, ptl_event_t *,
              unsigned int *);
int PtlPut(ptl_handle_md_t, ptl_size_t, ptl_size_t, ptl_ack_req_t,
           ptl_process_t, ptl_pt_index_t, ptl_match_bits_t, ptl_size_t, void *,
           ptl_hdr_data_t);
int PtlGet(ptl_handle_md_t, ptl_size_t, ptl_size_t, ptl_process_t,
           ptl_pt_index_t, ptl_match_bits_t, ptl_size_t, void *);
int PtlCTAlloc(ptl_handle_ni_t, ptl_handle_ct_t *);
int PtlCTGet(ptl_handle_ct_t, ptl_ct_event_t *);
int PtlCTInc(ptl_handle_ct_t, ptl_ct_event_t);
int PtlCTSet(ptl_handle_ct_t, ptl_ct_event_t);
int PtlAtomic(ptl_handle_md_t, ptl_size_t, ptl_size_t, ptl_ack_req_t,
              ptl_process_t, ptl_pt_index_t, ptl_match_bits_t, ptl_size_t,
              void *, ptl_hdr_data_t, ptl_op_t, ptl_datatype_t);
int PtlFetchAtomic(ptl_handle_md_t, ptl_size_t, ptl_handle_md_t, ptl_size_t,
                   ptl_size_t, ptl_process_t, ptl_pt_index_t, ptl_match_bits_t,
                   ptl_size_t, void *, ptl_hdr_data_t, ptl_op_t,
                   ptl_datatype_t);
int PtlSwap(ptl_handle_md_t, ptl_size_t, ptl_handle_md_t, ptl_size_t,
            ptl_size_t, ptl_process_t, ptl_pt_index_t, ptl_match_bits_t,
            ptl_size_t, void *, ptl_hdr_data_t, const void *, ptl_op_t,
            ptl_datatype_t);
int PtlTriggeredAtomic(ptl_handle_md_t, ptl_size_t, ptl_size_t, ptl_ack_req_t,
                       ptl_process_t, ptl_pt_index_t, ptl_match_bits_t,
                       ptl_size_t, void *, ptl_hdr_data_t, ptl_op_t,
                       ptl_datatype_t, ptl_handle_ct_t, ptl_size_t);
int PtlTriggeredPut(ptl_handle_md_t, ptl_size_t, ptl_size_t, ptl_ack_req_t,
                    ptl_process_t, ptl_pt_index_t, ptl_match_bits_t, ptl_size_t,
                    void *, ptl_hdr_data_t, ptl_handle_ct_t, ptl_size_t);
int PtlAtomicSync(void);
int PtlTriggeredCTInc(ptl_handle_ct_t, ptl_ct_event_t, ptl_handle_ct_t,
                      ptl_size_t);
"""


def enum(draw, name, words):
    values = draw.sample(range(3, 400), len(words))
    lines = ["  PTL_%s = %d," % pair for pair in zip(words, values)]
    return "typedef enum {\n%s\n} %s;" % ("\n".join(lines), name)


def options(draw, words):
    bits = draw.sample(range(24), len(words))
    return "\n".join(
        "#define PTL_%s (1u << %d)" % pair for pair in zip(words, bits))


def handle(kind):
    return "typedef struct { void *object; uint64_t incarnation; } ptl_handle_%s_t;" % kind


def literal(name, kind):
    """Returns a literal with designators out of order, which C++ rejects."""
    return "#define PTL_%s ((ptl_handle_%s_t){.incarnation = 0, .object = 0})" % (name, kind)


def header(seed):
    draw = random.Random(seed)
    parts = ["#ifndef FOREIGN_PORTALS4_H_\n#define FOREIGN_PORTALS4_H_\n",
             "#include <stdint.h>", TYPES]
    parts += [handle(kind) for kind in HANDLES]
    parts += [literal("EQ_NONE", "eq"), literal("CT_NONE", "ct"),
              literal("INVALID_HANDLE", "any")]
    parts += [enum(draw, name, words.split()) for name, words in ENUMS.items()]
    parts += [options(draw, words.split()) for words in OPTIONS]
    parts += [STRUCTURES, "#endif"]
    return "\n".join(parts)


print(header(int(sys.argv[1])))
