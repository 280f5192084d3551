/* GASNet 0.5: for programs written to version 0.5 of the specification. Include
 * this header in place of gasnet.h, in every file of the program.
 *
 * Differences from gasnet.h: gasnet_init alone joins the job, registers
 * handlers and makes the segment; client handlers have indices 200..255; the
 * barrier flags have other names.
 */
#ifndef GASNET_0_5_H_
#define GASNET_0_5_H_

#include "gasnet.h"

GASNETI_EXTERN_C_BEGIN

/* Arguments of gasnet_init: a segment at any address, and a segment that is the
   whole address space. */
#define GASNET_SEGBASE_ANY GASNETI_BIT_CAST(void *, UINTPTR_MAX)
#define GASNET_SEGSIZE_EVERYTHING GASNETI_CAST(uintptr_t, -1)

#define GASNET_BARRIERFLAGS_ANONYMOUS GASNET_BARRIERFLAG_ANONYMOUS
#define GASNET_BARRIERFLAGS_MISMATCH GASNET_BARRIERFLAG_MISMATCH

/* Joins the job, and registers handlers and this node's segment. The call must
 * be the first statement of main. It is collective, acts as a barrier over all
 * nodes, and is made once per process.
 * - table, numentries: handlers to register; NULL and 0 for no handlers. An
 *   index of 0 is replaced in place by the lowest free index from 200 on, in
 *   table order.
 * - segbase: ignored, as the specification permits; gasnet_getSegmentInfo
 *   returns the addresses of the segments.
 * - segsize: bytes, a multiple of the page size, the same on all nodes.
 *   GASNET_SEGSIZE_EVERYTHING makes the whole address space the segment. It
 *   needs a library for GASNET_SEGMENT_EVERYTHING.
 * - allowFaults: ignored; all of a segment may be accessed from the start. If
 *   the segment is the whole address space, unmapped pages still fault.
 *
 * Returns GASNET_OK, or an error:
 * - GASNET_ERR_BAD_ARG for a duplicate, reserved or null handler entry, a
 *   segsize that is not a page multiple, or GASNET_SEGSIZE_EVERYTHING with a
 *   library that does not support it
 * - GASNET_ERR_RESOURCE when the job cannot be joined, the segment cannot be
 *   allocated, or nodes ask for different sizes
 * - GASNET_ERR_NOT_INIT when called again */
int gasneti_init_0_5(int *argc, char ***argv, gasnet_handlerentry_t *table,
                     int numentries, void *segbase, uintptr_t segsize,
                     int allowFaults);
#define gasnet_init gasneti_init_0_5

/* Returns a segment size in bytes for which this host likely has enough memory
 * on all its nodes at once. Returns GASNET_SEGSIZE_EVERYTHING under
 * GASNET_SEGMENT_EVERYTHING. The result is constant during the life of a
 * process. Legal before gasnet_init. */
uintptr_t gasnet_getMaxNativeSegmentSize(void);

GASNETI_EXTERN_C_END

#endif /* GASNET_0_5_H_ */
