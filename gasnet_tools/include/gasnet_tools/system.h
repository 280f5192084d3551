/* The process, its host and its limits. */
#ifndef GASNET_TOOLS_SYSTEM_H_
#define GASNET_TOOLS_SYSTEM_H_

#include <stdint.h>

#include "gasnet_tools/config.h"

GASNETT_BEGIN_EXTERNC

/* Processors of this host that are on line, whether or not this process may run
 * on all of them. */
int gasnett_cpu_count(void);

/* Bytes of memory of this host. If that cannot be told, 0, or the end of the
 * process if failure_is_fatal. */
uint64_t gasnett_getPhysMemSz(int failure_is_fatal);

/* The name of this host. Lives as long as the process. */
const char *gasnett_gethostname(void);

/* Binds the calling thread, and those that it starts later, to one of the
 * processors that it may run on: number `rank`, counted around. A failure is a
 * warning on stderr. */
void gasnett_set_affinity(int rank);

/* Raises the limits on memory, stack, file size and processor time as far as
 * the system lets us. Nonzero if all could be. */
int gasnett_maximize_rlimits(void);

/* Lets other threads and processes run. 0. */
int gasnett_sched_yield(void);

/* New memory filled with 0, of `size` bytes rounded up to pages, on a page
 * boundary. Never NULL: where the system has not so much, the process ends.
 * munmap(2) gives it back. */
void *gasnett_mmap(uintptr_t size);

typedef void (*gasnett_sighandlerfn_t)(int signal_number);

/* Makes `handler` (or SIG_DFL, SIG_IGN) that of a signal, permanently, and
 * answers the one before. Interrupted system calls go on afterwards. A signal
 * that cannot be caught ends the process. */
gasnett_sighandlerfn_t gasnett_reghandler(int signal_number,
                                          gasnett_sighandlerfn_t handler);

/* Hands what stdout and stderr hold back to the system. */
void gasnett_flush_streams(void);

/* Ends this process at once, with this exit code: nothing is flushed, no exit
 * handler runs. Async-signal-safe. */
void gasnett_killmyprocess(int exit_code) GASNETT_NORETURN;

/* Prints one line on stderr, `*** GASNet FATAL ERROR (who): message`, and ends
 * the process by abort(). Before that GASNET_BACKTRACE=1 prints the stack and
 * GASNET_FREEZE_ON_ERROR=1 waits for a debugger. */
void gasnett_fatalerror(const char *format, ...) GASNETT_NORETURN
    __attribute__((__format__(__printf__, 1, 2)));

/* A warning for users about the speed of this build: "" unless it is a debug
 * build. Ends with a newline. */
const char *gasnett_performance_warning_str(void);

GASNETT_END_EXTERNC

#endif /* GASNET_TOOLS_SYSTEM_H_ */
