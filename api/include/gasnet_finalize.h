/* The end of GASNet without the end of the process, beyond the specification:
 * for a library inside a larger program, a language that loads GASNet at run
 * time, a suite of tests in one process. gasnet.h does not include this. */
#ifndef GASNET_FINALIZE_H_
#define GASNET_FINALIZE_H_

#include "gasnet.h"

GASNETI_EXTERN_C_BEGIN

/* Ends this node's part in GASNet and returns; gasnet_init may be called again.
 * Collective: returns when all nodes have called it. By one thread, while no
 * other is in GASNet or will be, after gasnet_init, attached or not; not in a
 * handler, with a handler-safe lock held, or inside a barrier.
 *
 * Before: every transfer and collective of this node has been synced, and every
 * request whose effect matters has been seen to have it, by a reply for
 * example. Handlers run until all nodes have come. Messages that are on their
 * way then may be lost.
 *
 * After: of GASNet no thread, descriptor, mapping or signal handler is left in
 * this process. Segments are unmapped, their contents gone; addresses in them,
 * handles, tokens, teams and what gasnet_getenv has returned are no more.
 * Handler-safe locks stay as they are. Only gasnet_init and gasnet_exit may be
 * called, and what needs no job (handler-safe locks, no-interrupt sections).
 * Three things stay: stdout is line-buffered, standard descriptors that were
 * closed lead to /dev/null, and libraries that were loaded, such as libfabric,
 * stay loaded.
 *
 * A node of a job of several keeps its place: two descriptors, the channel to
 * its launcher and the memory of its host, by which the next gasnet_init joins
 * the same job as the same node. Under gasnetrun it was started with them.
 * Until then it learns nothing of the job: where that ends, the process is
 * killed when the time of GASNET_EXITTIMEOUT is over. gasnet_exit ends the job.
 * GASNET_* variables that the process has set in its own environment, or has
 * removed, since the first gasnet_init hold for the next one, whatever the job
 * was spawned with; as ever they must be the same on all nodes where they say
 * so. So another network may be chosen, GASNET_CONDUIT, or another wait mode.
 *
 * A node that ends without coming is an error: the launcher names it and ends
 * the job. One that is merely late is waited for.
 *
 * Returns GASNET_OK; GASNET_ERR_NOT_INIT before gasnet_init. */
int gasnet_finalize(void);

GASNETI_EXTERN_C_END

#endif /* GASNET_FINALIZE_H_ */
