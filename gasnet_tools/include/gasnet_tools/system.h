/* Functions about the process, its host and its limits. */
#ifndef GASNET_TOOLS_SYSTEM_H_
#define GASNET_TOOLS_SYSTEM_H_

#include <stdint.h>

#include "gasnet_tools/config.h"

GASNETT_BEGIN_EXTERNC

/* Returns the number of online processors of this host, even if this process
 * may not run on all of them. */
int gasnett_cpu_count(void);

/* Returns the size of this host's memory in bytes. If the size is unknown,
 * returns 0, or ends the process if failure_is_fatal is nonzero. */
uint64_t gasnett_getPhysMemSz(int failure_is_fatal);

/* Returns the name of this host in lower case. The text is valid until the
   process ends. */
const char *gasnett_gethostname(void);

/* Returns the full path of this program's file, or "" if the system does not
 * provide it. The text is valid until the process ends. */
const char *gasnett_exe_name(void);

/* Returns 1 if the lowest byte of a number comes first in memory. */
int gasnett_isLittleEndian(void);

/* Return the release of this interface: as text, or as a number that grows with
 * each release. */
const char *gasnett_release_version_str(void);
uint64_t gasnett_release_version(void);

/* Binds the calling thread, and threads that it starts later, to one of the
 * processors on which the thread may run. `rank` modulo the number of these
 * processors selects one. Returns 0. If binding fails, prints a warning on
 * stderr and returns nonzero. */
#define GASNETT_SET_AFFINITY_SUPPORT 1
int gasnett_set_affinity(int rank);

/* Raises the limits on memory, stack, file size and processor time as far as
 * the system permits. Returns nonzero if all could be raised. */
int gasnett_maximize_rlimits(void);
/* Like gasnett_maximize_rlimits, but for one limit: RLIMIT_AS and so on. `name`
   is unused. */
int gasnett_maximize_rlimit(int resource, const char *name);

/* Lets other threads and processes run. Returns 0. */
int gasnett_sched_yield(void);

/* Sleeps for this many nanoseconds, even if signals interrupt it. Returns 0, or
 * the errno of a failure.
 */
int gasnett_nsleep(uint64_t nanoseconds);

/* Returns new zeroed memory, of `size` bytes rounded up to pages, on a page
 * boundary. Never returns NULL: if the system does not have enough memory, the
 * process ends. munmap(2) frees the memory. */
void *gasnett_mmap(uintptr_t size);

typedef void (*gasnett_sighandlerfn_t)(int signal_number);

/* Installs `handler` (or SIG_DFL, SIG_IGN) for a signal, permanently, and
 * returns the previous handler. System calls that the signal interrupts are
 * continued. If the signal cannot be caught, the process ends. */
gasnett_sighandlerfn_t gasnett_reghandler(int signal_number,
                                          gasnett_sighandlerfn_t handler);

/* Flushes stdout and stderr. */
void gasnett_flush_streams(void);

/* Flushes and closes stdin, stdout and stderr. */
void gasnett_close_streams(void);

/* Ends this process at once with this exit code. It flushes nothing and runs no
 * exit handler. It is async-signal-safe. */
void gasnett_killmyprocess(int exit_code) GASNETT_NORETURN;

/* Prints one line on stderr, `*** GASNet FATAL ERROR (who): message`, and ends
 * the process by abort(). Before that it prints the stack if
 * GASNET_BACKTRACE=1, and waits for a debugger if GASNET_FREEZE_ON_ERROR=1. */
void gasnett_fatalerror(const char *format, ...) GASNETT_NORETURN
    __attribute__((__format__(__printf__, 1, 2)));

/* Like gasnett_fatalerror. Neither function reports the place of the call. */
void gasnett_fatalerror_nopos(const char *format, ...) GASNETT_NORETURN
    __attribute__((__format__(__printf__, 1, 2)));

/* gasnett_freezeForDebuggerNow prints one line on stderr that names the flag,
 * and stops this process until a debugger sets *flag to 0.
 * gasnett_freezeForDebuggerErr does the same with its own flag, but only if
 * GASNET_FREEZE_ON_ERROR is on. */
void gasnett_freezeForDebuggerNow(volatile int *flag, const char *flagsymname);
void gasnett_freezeForDebuggerErr(void);

/* Returns a text that names this line of the program. The caller must release
 * the text with free. */
#define gasnett_current_loc \
  gasnetti_location(GASNETT_CURRENT_FUNCTION, __FILE__, __LINE__)
char *gasnetti_location(const char *function, const char *file, int line);

/* States that cond always holds. Debug builds end the process if cond is
   false. */
#ifdef GASNET_DEBUG
#define gasnett_assume(cond) \
  ((cond) ? (void)0 : gasnett_fatalerror("gasnett_assume: not so: %s", #cond))
#else
#define gasnett_assume(cond) ((cond) ? (void)0 : __builtin_unreachable())
#endif

/* Debug builds: returns a warning to the user that the build is slow. The
 * warning ends with a newline. Other builds: returns "". */
const char *gasnett_performance_warning_str(void);

GASNETT_END_EXTERNC

#endif /* GASNET_TOOLS_SYSTEM_H_ */
