/* Return codes of functions, and kinds of failure of operations. Include
 * portals4.h. */
#ifndef PORTALS4_RETURNS_H_
#define PORTALS4_RETURNS_H_

#include <stdint.h>

/* Return codes of the functions. */
enum ptl_retvals {
  PTL_OK = 0,
  PTL_ARG_INVALID,     /* an argument is invalid, stale, or inconsistent */
  PTL_CT_NONE_REACHED, /* PtlCTPoll: no counter reached its test in time */
  PTL_EQ_DROPPED,      /* an event is given, and events before it were lost */
  PTL_EQ_EMPTY,        /* no event is there */
  PTL_FAIL,            /* an error of the system below */
  PTL_IGNORED,         /* PtlSetMap: the map is set elsewhere */
  PTL_IN_USE,          /* the object is still in use: try again */
  PTL_LIST_TOO_LONG,   /* the list would be longer than is possible */
  PTL_NO_INIT,         /* before PtlInit, or after the last PtlFini */
  PTL_NO_SPACE,        /* a limit of the interface, or memory, is used up */
  PTL_PID_IN_USE,      /* another process has this identifier */
  PTL_PT_FULL,         /* no portal table entry is free */
  PTL_PT_EQ_NEEDED,    /* flow control without an event queue */
  PTL_PT_IN_USE,       /* the requested portal table index is taken */
  PTL_ABORTED          /* a wait ended because of PtlAbort */
};
#define PTL_STATUS_LAST (PTL_PT_IN_USE + 1)

/* The outcome of an operation: ni_fail_type of an event. */
typedef uint32_t ptl_ni_fail_t;
enum {
  PTL_NI_OK = 0,
  PTL_NI_UNDELIVERABLE = 1, /* the target cannot be reached, or is gone */
  PTL_NI_DROPPED = 2,     /* no entry matched, or the index is not allocated */
  PTL_NI_PT_DISABLED = 3, /* the portal table entry was disabled */
  PTL_NI_PERM_VIOLATION = 4, /* the entry is for another user */
  PTL_NI_OP_VIOLATION = 5,   /* the entry does not allow the operation */
  PTL_NI_NO_MATCH = 6,       /* a search found nothing */
  PTL_NI_SEGV = 7            /* memory at either end is not there */
};

#endif /* PORTALS4_RETURNS_H_ */
