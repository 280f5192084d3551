/* Job control and environment queries (spec 1.6, 2.1, 2.2). */
#ifndef GASNET_JOB_H_
#define GASNET_JOB_H_

#include "gasnet/abi.h"
#include "gasnet/config.h"

GASNETI_EXTERN_C_BEGIN

/* Joins the job (spec 2.1.0.1). The first statement of main: no other GASNet
 * call, and no look at argc and argv, may come before it. Once per process, or
 * again after gasnet_finalize (gasnet_finalize.h). Returns GASNET_OK;
 * GASNET_ERR_NOT_INIT when called again; GASNET_ERR_RESOURCE when the job
 * cannot be joined. */
int gasnet_init(int *argc, char ***argv);

/* A call that is not legal before gasnet_init or gasnet_attach ends the
 * process there with a message that names it. Exceptions are calls that
 * return an error, and handler-safe locks and no-interrupt sections, which
 * need no job. */

/* Registers handlers and this node's segment (spec 2.1.0.2). Collective: a
 * barrier over all nodes. Once after each gasnet_init.
 *
 * table, numentries: handlers to register; NULL and 0 for none. An index of 0
 *   is replaced in place by the lowest free client index, in table order, so
 *   equal tables get equal indices on every node.
 * segsize: bytes, a multiple of GASNET_PAGESIZE; 0 for no segment. The segment
 *   may come out smaller: ask gasnet_getSegmentInfo.
 * minheapoffset: bytes to leave between the end of the heap and the segment;
 *   the same on all nodes.
 * Both are ignored under GASNET_SEGMENT_EVERYTHING.
 *
 * Returns GASNET_OK; GASNET_ERR_BAD_ARG for a duplicate, reserved or null
 * handler entry, or a segsize that is not a page multiple;
 * GASNET_ERR_NOT_INIT when called before gasnet_init or again;
 * GASNET_ERR_RESOURCE when memory or network resources cannot be had. */
int gasnet_attach(gasnet_handlerentry_t *table, int numentries,
                  uintptr_t segsize, uintptr_t minheapoffset);

/* Largest segsize, in bytes, that gasnet_attach on this node is likely to
 * provide (spec 2.1.0.3): a page multiple, bounded by GASNET_MAX_SEGSIZE and
 * by this node's share of what its host has free. (uintptr_t)-1 under
 * GASNET_SEGMENT_EVERYTHING. Only between gasnet_init and gasnet_attach. */
uintptr_t gasnet_getMaxLocalSegmentSize(void);

/* Smallest value of the above over all nodes (spec 2.1.0.4). */
uintptr_t gasnet_getMaxGlobalSegmentSize(void);

/* Ends the job with exitcode (spec 2.1.0.5). Not collective; legal on any
 * thread, in a handler, with locks held, and in a SIGQUIT handler, at any time
 * after gasnet_init. Flushes stdio. Nodes that have not called it get SIGQUIT
 * and, after the time of GASNET_EXITTIMEOUT, are ended. When nodes give
 * different codes the job's is one of them, and not 0 unless all are.
 *
 * A node that returns from main or calls exit instead ends itself alone. Its
 * messages still arrive; the job goes on until all have ended or one calls
 * gasnet_exit, or for the time of GASNET_EXITTIMEOUT where its code is not 0.
 *
 * In a process that a node has forked, which is no node, it flushes stdio and
 * ends that process. Any other call there that could reach another node, wait
 * or ask for the job is a fatal error of that process; the job goes on. */
void gasnet_exit(int exitcode) __attribute__((noreturn));

/* Fills table[i] with the segment of node i for i < numentries and i < nodes;
 * further entries stay untouched (spec 2.2.0.3). Not collective. Returns
 * GASNET_OK; GASNET_ERR_NOT_INIT before gasnet_attach; GASNET_ERR_BAD_ARG for
 * a null table or a negative numentries. */
int gasnet_getSegmentInfo(gasnet_seginfo_t *table, int numentries);

/* Where a node runs. Nodes with the same host share a machine; of these, nodes
 * with the same supernode reach each other's segments by loads and stores. */
typedef struct {
  gasnet_node_t host;
  gasnet_node_t supernode;
#if GASNET_PSHM
  /* The number to add to an address in that node's segment to reach it from
   * here, modulo 2^64. 0 before gasnet_attach and for other supernodes. */
  uintptr_t offset;
#endif
} gasnet_nodeinfo_t;

/* Fills table[i] for node i, for i < numentries and i < nodes. Not collective.
 * Legal from gasnet_init on. Returns GASNET_OK; GASNET_ERR_NOT_INIT before
 * gasnet_init; GASNET_ERR_BAD_ARG for a null table or a negative numentries. */
int gasnet_getNodeInfo(gasnet_nodeinfo_t *table, int numentries);

/* Returns the name of the conduit that this job uses, in lower case: "smp",
 * "udp", "ofi" or "portals". GASNET_CONDUIT_NAME_STR is that of the library
 * that the program was compiled for, which may have several. The string must
 * not be modified. Beyond the specification. From gasnet_init on. */
const char *gasnet_conduit_name(void);

/* Value of an environment variable in the console that started the job, or
 * NULL (spec 2.2.0.4). The string must not be modified. From gasnet_init on. */
char *gasnet_getenv(const char *name);

/* Returns the name of this host, as gasnett_gethostname of gasnet_tools.h does,
 * which is the one to use. Programs take this one from gasnet.h alone. */
const char *gasneti_gethostname(void);

void gasneti_require_initialised(const char *call);

/* Ends the process where gasnet_init has not been called. Debug builds ask for
 * more than a load can tell. */
GASNETI_INLINE void gasneti_check_initialised(const char *call) {
#ifndef GASNET_DEBUG
  if (GASNETI_LIKELY(gasneti_world.nodes != 0)) return;
#endif
  gasneti_require_initialised(call);
}

/* This node's index, and the number of nodes (spec 2.2.0.1, 2.2.0.2). Legal
 * everywhere from gasnet_init on, also in handlers and with locks held. */
GASNETI_INLINE gasnet_node_t gasnet_mynode(void) {
  gasneti_check_initialised("gasnet_mynode");
  return gasneti_world.mynode;
}
GASNETI_INLINE gasnet_node_t gasnet_nodes(void) {
  gasneti_check_initialised("gasnet_nodes");
  return gasneti_world.nodes;
}

/* Name and description of an error code (spec 1.6.0.1). Never NULL; the string
 * must not be modified. Legal everywhere, at any time. */
char *gasnet_ErrorName(int errval);
char *gasnet_ErrorDesc(int errval);

GASNETI_EXTERN_C_END

#endif /* GASNET_JOB_H_ */
