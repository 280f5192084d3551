/* The calls by which programs write to the trace and to the statistics. They
 * have an effect only if the program links a libgasnet and GASNET_TRACEFILE or
 * GASNET_STATSFILE is set when the job starts. The effect begins with
 * gasnet_init or gex_Client_Init. Without an effect, the calls only evaluate
 * each argument once, and report that nothing is traced.
 *
 * Macros without parentheses stand for functions or expressions, so a client
 * may define other names for them. The calls are legal everywhere and at any
 * time, also in handlers and before gasnet_init, but not in signal handlers.
 */
#ifndef GASNET_TOOLS_TRACE_H_
#define GASNET_TOOLS_TRACE_H_

#include "gasnet_tools/annotations.h"

GASNETT_BEGIN_EXTERNC

/* Does nothing. Programs use this name in place of a trace macro to disable
   tracing. */
GASNETT_INLINE(_gasnett_trace_printf_noop)
void _gasnett_trace_printf_noop(const char *format, ...) { (void)format; }

int gasnetti_trace_enabled(void);
void gasnetti_trace_printf(const char *format, ...);
void gasnetti_trace_printf_force(const char *format, ...);
const char *gasnetti_trace_mask(void);
void gasnetti_trace_set_mask(const char *mask);
int gasnetti_trace_local(void);
void gasnetti_trace_set_local(int local);
void gasnetti_trace_set_source(const char *file, unsigned line);
void gasnetti_trace_get_source(const char **file, unsigned *line);
void gasnetti_trace_freeze_source(void);
void gasnetti_trace_unfreeze_source(void);

void gasnetti_stats_printf(const char *format, ...);
void gasnetti_stats_printf_force(const char *format, ...);
void gasnetti_stats_dump(int reset);
const char *gasnetti_stats_mask(void);
void gasnetti_stats_set_mask(const char *mask);

GASNETT_END_EXTERNC

/* An expression that is nonzero if anything is traced. */
#define GASNETT_TRACE_ENABLED gasnetti_trace_enabled()

/* Write a line to the trace. The arguments are (const char *format, ...).
 * GASNETT_TRACE_PRINTF writes only if the trace's mask has the letter H;
 * GASNETT_TRACE_PRINTF_FORCE always writes. */
#define GASNETT_TRACE_PRINTF gasnetti_trace_printf
#define GASNETT_TRACE_PRINTF_FORCE gasnetti_trace_printf_force
/* Write to the statistics. The PRINTF forms write a line, under the same
 * conditions as for the trace. DUMP writes all statistics, and resets them to
 * zero if `reset` is nonzero. */
#define GASNETT_STATS_PRINTF gasnetti_stats_printf
#define GASNETT_STATS_PRINTF_FORCE gasnetti_stats_printf_force
#define GASNETT_STATS_DUMP(reset) gasnetti_stats_dump(reset)

/* Get or set the groups of calls that are traced, or counted in the statistics.
 * Letters name the groups (GASNET_TRACEMASK). A new mask applies to calls that
 * begin later. A mask with other characters is reported and changes nothing.
 * The text that GETMASK returns is valid until the mask changes. The text is
 * empty if there is no file to write to. */
#define GASNETT_TRACE_GETMASK gasnetti_trace_mask
#define GASNETT_TRACE_SETMASK gasnetti_trace_set_mask
#define GASNETT_STATS_GETMASK gasnetti_stats_mask
#define GASNETT_STATS_SETMASK gasnetti_stats_set_mask

/* Get or set a number that is nonzero if operations of a node on itself are
   traced. */
#define GASNETT_TRACE_GET_TRACELOCAL gasnetti_trace_local
#define GASNETT_TRACE_SET_TRACELOCAL gasnetti_trace_set_local

/* Get or set the client's source line to which the calling thread's next events
 * are attributed. GET returns "" and 0 if no line is set. The string with the
 * file name must stay valid until the process ends. While the source line is
 * frozen, SET changes nothing. */
#define GASNETT_TRACE_SETSOURCELINE gasnetti_trace_set_source
#define GASNETT_TRACE_GETSOURCELINE gasnetti_trace_get_source
#define GASNETT_TRACE_FREEZESOURCELINE gasnetti_trace_freeze_source
#define GASNETT_TRACE_UNFREEZESOURCELINE gasnetti_trace_unfreeze_source

#endif /* GASNET_TOOLS_TRACE_H_ */
