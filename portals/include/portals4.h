/* Portals 4: the network programming interface of this library.
 *
 * A process opens a network interface (PtlNIInit), puts list entries behind the
 * indices of its portal table (PtlMEAppend, PtlLEAppend), and describes its own
 * memory (PtlMDBind). Peers can then put data into the memory behind those
 * entries, get data from it, and update it. The process takes no part in these
 * operations: it may compute, sleep, or be stopped. Full events in event queues
 * and counting events report the operations. An operation may also wait until a
 * counting event reaches a number.
 *
 * Names, values and types are those of the reference implementation. Programs
 * written for it compile unchanged. Handles are numbers, but a program should
 * compare them only by PtlHandleIsEqual.
 *
 * Return codes. Every function except PtlAbort, PtlFini and PtlHandleIsEqual
 * returns PTL_OK or the code of an error. The comment of each function lists
 * its codes. In addition, all functions except those three and PtlInit return:
 *
 * - PTL_NO_INIT before PtlInit.
 * - PTL_ARG_INVALID for a handle that is stale, of another kind, or of another
 *   interface than the other handles of the call.
 *
 * Threads. Every function may be called from any thread at any time. No
 * function may be called from a signal handler.
 *
 * Memory ordering. A thread that gets an event sees the data of the event's
 * operation. A thread that reads a counting event sees the data of all
 * operations counted so far.
 *
 * The parts, each includable by itself:
 *   portals4/types.h       scalars, handles, process identifiers
 *   portals4/returns.h     return codes and kinds of failure
 *   portals4/interface.h   initialisation, interfaces, limits, identities, map
 *   portals4/table.h       portal table entries
 *   portals4/memory.h      memory descriptors
 *   portals4/entries.h     list entries, match list entries, searches
 *   portals4/counters.h    counting events
 *   portals4/operations.h  put, get, atomic operations
 *   portals4/events.h      full events and their queues
 *   portals4/triggered.h   operations that wait for a counting event */
#ifndef PORTALS4_H_
#define PORTALS4_H_

#include "portals4/counters.h"
#include "portals4/entries.h"
#include "portals4/events.h"
#include "portals4/interface.h"
#include "portals4/memory.h"
#include "portals4/operations.h"
#include "portals4/returns.h"
#include "portals4/table.h"
#include "portals4/triggered.h"
#include "portals4/types.h"

#endif /* PORTALS4_H_ */
