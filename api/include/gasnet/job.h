/* Job control and environment queries (spec 1.6, 2.1, 2.2). */
#ifndef GASNET_JOB_H_
#define GASNET_JOB_H_

#include "gasnet/abi.h"
#include "gasnet/config.h"

GASNETI_EXTERN_C_BEGIN

/* Joins the job (spec 2.1.0.1). The call must be the first statement of main,
 * before any other GASNet call and any use of argc and argv. It is made once
 * per process. After gasnet_finalize (gasnet_finalize.h) it may be made again.
 * Returns GASNET_OK; GASNET_ERR_NOT_INIT when called again; GASNET_ERR_RESOURCE
 * when the job cannot be joined. */
int gasnet_init(int *argc, char ***argv);

/* A call that comes too early, before gasnet_init or gasnet_attach, ends the
 * process with a message that names the call. There are two exceptions. Calls
 * that can return an error code return it. Handler-safe locks and no-interrupt
 * sections need no job.
 */

/* Registers handlers and this node's segment (spec 2.1.0.2). The call is
 * collective: it acts as a barrier over all nodes. It is made once after each
 * gasnet_init.
 * - table, numentries: handlers to register; NULL and 0 for no handlers. An
 *   index of 0 is replaced in place by the lowest free client index, in table
 *   order. So equal tables get equal indices on every node.
 * - segsize: bytes, a multiple of GASNET_PAGESIZE; 0 for no segment. The
 *   segment may be smaller: gasnet_getSegmentInfo returns its size.
 * - minheapoffset: bytes to leave between the end of the heap and the segment;
 *   the same on all nodes.
 *
 * segsize and minheapoffset are ignored under GASNET_SEGMENT_EVERYTHING.
 *
 * Returns GASNET_OK; GASNET_ERR_BAD_ARG for a duplicate, reserved or null
 * handler entry, or a segsize that is not a page multiple; GASNET_ERR_NOT_INIT
 * when called before gasnet_init or again; GASNET_ERR_RESOURCE when memory or
 * network resources cannot be allocated. */
int gasnet_attach(gasnet_handlerentry_t *table, int numentries,
                  uintptr_t segsize, uintptr_t minheapoffset);

/* Returns the largest segsize, in bytes, that gasnet_attach can likely provide
 * on this node (spec 2.1.0.3). It is a page multiple, at most
 * GASNET_MAX_SEGSIZE and at most this node's share of its host's free memory.
 * Returns (uintptr_t)-1 under GASNET_SEGMENT_EVERYTHING. Legal only between
 * gasnet_init and gasnet_attach. */
uintptr_t gasnet_getMaxLocalSegmentSize(void);

/* Returns the smallest gasnet_getMaxLocalSegmentSize() of all nodes (spec
 * 2.1.0.4). */
uintptr_t gasnet_getMaxGlobalSegmentSize(void);

/* Ends the job with exitcode (spec 2.1.0.5). The call is not collective. It is
 * legal on any thread, in a handler, with locks held, and in a SIGQUIT handler,
 * at any time after gasnet_init. It flushes stdio. Nodes that have not called
 * gasnet_exit get SIGQUIT, and are ended GASNET_EXITTIMEOUT later. When nodes
 * give different codes, the job's exit code is one of them; it is 0 only if all
 * codes are 0.
 *
 * A node that instead returns from main or calls exit ends only itself. The
 * messages that it has sent still arrive. The job goes on until all nodes have
 * ended or one node calls gasnet_exit. If the code of the node that ended is
 * not 0, the job goes on for at most GASNET_EXITTIMEOUT.
 *
 * A process that a node has forked is not a node. In such a process gasnet_exit
 * flushes stdio and ends that process only. Any other call that could reach
 * another node, wait, or query the job is a fatal error of the forked process;
 * the job goes on. */
void gasnet_exit(int exitcode) __attribute__((noreturn));

/* Fills table[i] with the segment of node i for i < numentries and i < nodes;
 * further entries stay untouched (spec 2.2.0.3). Not collective. Returns
 * GASNET_OK; GASNET_ERR_NOT_INIT before gasnet_attach; GASNET_ERR_BAD_ARG for
 * a null table or a negative numentries. */
int gasnet_getSegmentInfo(gasnet_seginfo_t *table, int numentries);

/* The location of a node. Nodes with the same host number share a machine.
 * Nodes with the same supernode number share a machine too, and reach each
 * other's segments by loads and stores. */
typedef struct {
  gasnet_node_t host;
  gasnet_node_t supernode;
#ifdef GASNET_PSHM
  /* Displacement, modulo 2^64. An address in the segment of this entry's node
   * plus offset is the corresponding address in this process. offset is 0
   * before gasnet_attach and for nodes of other supernodes. */
  uintptr_t offset;
#endif
} gasnet_nodeinfo_t;

/* Fills table[i] for node i, for i < numentries and i < nodes. Not collective.
 * Legal from gasnet_init on. Returns GASNET_OK; GASNET_ERR_NOT_INIT before
 * gasnet_init; GASNET_ERR_BAD_ARG for a null table or a negative numentries. */
int gasnet_getNodeInfo(gasnet_nodeinfo_t *table, int numentries);

/* Returns the name of the conduit that this job uses, in lower case: "smp",
 * "udp", "ofi" or "portals". A library may have several conduits, so
 * GASNET_CONDUIT_NAME_STR may differ: it names the library that the program was
 * compiled for. The string must not be modified. This call is an extension of
 * the specification. It is legal from gasnet_init on. */
const char *gasnet_conduit_name(void);

/* Returns the value of an environment variable in the environment of the
 * console that started the job, or NULL (spec 2.2.0.4). The string must not be
 * modified. Legal from gasnet_init on. */
char *gasnet_getenv(const char *name);

/* Returns the name of this host. New programs should use gasnett_gethostname of
 * gasnet_tools.h. This function is for programs that include only gasnet.h. */
const char *gasneti_gethostname(void);

void gasneti_require_initialised(const char *call);

/* Ends the process if gasnet_init has not been called. Debug builds always call
 * gasneti_require_initialised, because it makes further checks. */
GASNETI_INLINE void gasneti_check_initialised(const char *call) {
#ifndef GASNET_DEBUG
  if (GASNETI_LIKELY(gasneti_world.nodes != 0)) return;
#endif
  gasneti_require_initialised(call);
}

/* Return this node's index, and the number of nodes (spec 2.2.0.1, 2.2.0.2).
 * Legal everywhere from gasnet_init on, also in handlers and with locks held.
 */
GASNETI_INLINE gasnet_node_t gasnet_mynode(void) {
  gasneti_check_initialised("gasnet_mynode");
  return gasneti_world.mynode;
}
GASNETI_INLINE gasnet_node_t gasnet_nodes(void) {
  gasneti_check_initialised("gasnet_nodes");
  return gasneti_world.nodes;
}

/* Return the name and the description of an error code (spec 1.6.0.1). The
 * result is never NULL; the string must not be modified. Legal everywhere, at
 * any time. */
char *gasnet_ErrorName(int errval);
char *gasnet_ErrorDesc(int errval);

GASNETI_EXTERN_C_END

#endif /* GASNET_JOB_H_ */
