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

/* The file of this program, with its whole path; "" where the system does not
 * tell. Lives as long as the process. */
const char *gasnett_exe_name(void);

/* 1 if the lowest byte of a number comes first in memory. */
int gasnett_isLittleEndian(void);

/* The release whose interface this is, as text, and as a number that grows with
 * it. */
const char *gasnett_release_version_str(void);
uint64_t gasnett_release_version(void);

/* Binds the calling thread, and those that it starts later, to one of the
 * processors that it may run on: number `rank`, counted around. 0; a failure is
 * a warning on stderr, and not 0. */
#define GASNETT_SET_AFFINITY_SUPPORT 1
int gasnett_set_affinity(int rank);

/* Raises the limits on memory, stack, file size and processor time as far as
 * the system lets us. Nonzero if all could be. */
int gasnett_maximize_rlimits(void);
/* The same of one limit: RLIMIT_AS and so on. `name` is for nothing here. */
int gasnett_maximize_rlimit(int resource, const char *name);

/* Lets other threads and processes run. 0. */
int gasnett_sched_yield(void);

/* Sleeps for this many nanoseconds, through signals too. 0, or the errno of a
 * failure.
 */
int gasnett_nsleep(uint64_t nanoseconds);

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

/* Closes stdin, stdout and stderr, having handed over what they hold. */
void gasnett_close_streams(void);

/* Ends this process at once, with this exit code: nothing is flushed, no exit
 * handler runs. Async-signal-safe. */
void gasnett_killmyprocess(int exit_code) GASNETT_NORETURN;

/* Prints one line on stderr, `*** GASNet FATAL ERROR (who): message`, and ends
 * the process by abort(). Before that GASNET_BACKTRACE=1 prints the stack and
 * GASNET_FREEZE_ON_ERROR=1 waits for a debugger. */
void gasnett_fatalerror(const char *format, ...) GASNETT_NORETURN
    __attribute__((__format__(__printf__, 1, 2)));

/* The same. Neither knows where it was called. */
void gasnett_fatalerror_nopos(const char *format, ...) GASNETT_NORETURN
    __attribute__((__format__(__printf__, 1, 2)));

/* cond always holds. Debug builds check it. */
#ifdef GASNET_DEBUG
#define gasnett_assume(cond) \
  ((cond) ? (void)0 : gasnett_fatalerror("gasnett_assume: not so: %s", #cond))
#else
#define gasnett_assume(cond) ((cond) ? (void)0 : __builtin_unreachable())
#endif

/* A warning for users about the speed of this build: "" unless it is a debug
 * build. Ends with a newline. */
const char *gasnett_performance_warning_str(void);

GASNETT_END_EXTERNC

#endif /* GASNET_TOOLS_SYSTEM_H_ */
