/* Ends GASNet without ending the process. This extends the specification, for a
 * library inside a larger program, a language that loads GASNet at run time, or
 * a suite of tests in one process. gasnet.h does not include this header. */
#ifndef GASNET_FINALIZE_H_
#define GASNET_FINALIZE_H_

#include "gasnet.h"

GASNETI_EXTERN_C_BEGIN

/* Ends this node's part in GASNet and returns; gasnet_init may be called again.
 * The call is collective: it returns when all nodes have called it. It is legal
 * after gasnet_init, with or without gasnet_attach. One thread calls it, while
 * no other thread is in GASNet or enters it. It is illegal in a handler, with a
 * handler-safe lock held, or inside a barrier.
 *
 * Before the call, this node must have synced all its transfers and
 * collectives. It must also know, for example from a reply, that every request
 * whose effect matters has been handled. Handlers run until all nodes have
 * called. Messages that are still on their way at that time may be lost.
 *
 * After the call, no thread, descriptor, mapping or signal handler of GASNet is
 * left in this process. Segments are unmapped and their contents gone.
 * Addresses in segments, handles, tokens, teams and strings that gasnet_getenv
 * returned are invalid. Handler-safe locks keep their states. Only gasnet_init,
 * gasnet_exit and functions that need no job (handler-safe locks, no-interrupt
 * sections) may be called. Three things stay: stdout is line-buffered, standard
 * descriptors that were closed lead to /dev/null, and libraries that were
 * loaded, such as libfabric, stay loaded.
 *
 * In a job of several nodes, a node keeps its place, and two descriptors: the
 * channel to its launcher and the shared memory of its host. With them the next
 * gasnet_init joins the same job as the same node. (Under gasnetrun the process
 * was started with both.) Until the next gasnet_init the node learns nothing of
 * the job: if the job ends, the process is killed GASNET_EXITTIMEOUT later.
 * gasnet_exit ends the job.
 *
 * The next gasnet_init uses GASNET_* variables that the process has set or
 * removed in its own environment since the first gasnet_init. These override
 * the variables that the job was spawned with. Variables that must be the same
 * on all nodes must still be the same. This way the program may choose another
 * network (GASNET_CONDUIT) or another wait mode.
 *
 * If a node ends without calling gasnet_finalize, the launcher names that node
 * and ends the job with an error. If a node is merely late, the others wait.
 *
 * Returns GASNET_OK; GASNET_ERR_NOT_INIT before gasnet_init. */
int gasnet_finalize(void);

GASNETI_EXTERN_C_END

#endif /* GASNET_FINALIZE_H_ */
