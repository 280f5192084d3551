/* The GASNet tools: functions that a portable parallel program needs besides
 * communication.
 *
 * The tools are independent of communication. A program may use them alone,
 * without gasnet_init, and link libgasnet_tools-seq or libgasnet_tools-par. A
 * client of gasnet.h includes this header as well, in either order, and links
 * nothing more.
 *
 * The tools have a thread-safe and a sequential form:
 * - GASNET_PAR, GASNET_PARSYNC or -DGASNETT_THREAD_SAFE=1 select the
 *   thread-safe form.
 * - GASNET_SEQ, -DGASNETT_THREAD_SAFE=0 or -DGASNETT_THREAD_SINGLE select
 *   the sequential form.
 * - Without any of these, _REENTRANT (compiler option -pthread) decides,
 *   and the file links with either library.
 *
 * The inlined parts (annotations, atomics, barriers) need no library;
 * GASNETT_LITE_MODE selects only these. All objects of a program must make the
 * same choices.
 *
 * The header includes the C library headers that gasnet/system_headers.h names,
 * unless GASNET_STRICT_INCLUDES is defined.
 *
 * Unless its declaration says otherwise, a function may be called at any time
 * and, in the thread-safe form, by any thread. Detected misuse and invalid
 * values end the process with one line on stderr.
 */
#ifndef GASNET_TOOLS_H_
#define GASNET_TOOLS_H_

#include "gasnet/platform.h"
#include "gasnet/system_headers.h"
#include "gasnet_tools/annotations.h"
#include "gasnet_tools/atomic.h"
#include "gasnet_tools/backtrace.h"
#include "gasnet_tools/config.h"
#include "gasnet_tools/debug_malloc.h"
#include "gasnet_tools/environment.h"
#include "gasnet_tools/lock.h"
#include "gasnet_tools/lock_calls.h"
#include "gasnet_tools/membar.h"
#include "gasnet_tools/number.h"
#include "gasnet_tools/system.h"
#include "gasnet_tools/threadkey.h"
#include "gasnet_tools/tick.h"
#include "gasnet_tools/trace.h"

#endif /* GASNET_TOOLS_H_ */
