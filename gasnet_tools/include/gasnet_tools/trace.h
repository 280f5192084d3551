/* The tracing and statistics calls of existing programs. This library
 * implements neither. The calls below have no effect, evaluate each argument
 * once, and report that nothing is traced.
 *
 * The names without parentheses here are functions or expressions, so a client
 * may give them names of its own. Legal everywhere, at any time, also in
 * handlers and before gasnet_init.
 */
#ifndef GASNET_TOOLS_TRACE_H_
#define GASNET_TOOLS_TRACE_H_

#include "gasnet_tools/annotations.h"

GASNETT_BEGIN_EXTERNC

/* Does nothing. Programs call it by this name in order to trace nothing. */
GASNETT_INLINE(_gasnett_trace_printf_noop)
void _gasnett_trace_printf_noop(const char *format, ...) { (void)format; }
GASNETT_INLINE(gasnetti_trace_mask)
const char *gasnetti_trace_mask(void) { return ""; }
GASNETT_INLINE(gasnetti_trace_set_mask)
void gasnetti_trace_set_mask(const char *mask) { (void)mask; }
GASNETT_INLINE(gasnetti_trace_set_source)
void gasnetti_trace_set_source(const char *file, unsigned line) {
  (void)file;
  (void)line;
}
GASNETT_INLINE(gasnetti_trace_get_source)
void gasnetti_trace_get_source(const char **file, unsigned *line) {
  *file = "";
  *line = 0;
}
GASNETT_INLINE(gasnetti_trace_local)
int gasnetti_trace_local(void) { return 0; }
GASNETT_INLINE(gasnetti_trace_set_local)
void gasnetti_trace_set_local(int local) { (void)local; }
GASNETT_INLINE(gasnetti_trace_nothing)
void gasnetti_trace_nothing(void) {}

GASNETT_END_EXTERNC

/* An expression: nonzero if anything is traced. */
#define GASNETT_TRACE_ENABLED 0

/* Write a line to the trace: (const char *format, ...). FORCE does so
 * regardless of the mask. */
#define GASNETT_TRACE_PRINTF _gasnett_trace_printf_noop
#define GASNETT_TRACE_PRINTF_FORCE _gasnett_trace_printf_noop
/* Write a line to the statistics; write all statistics, and reset them to zero
 * if `reset`. */
#define GASNETT_STATS_PRINTF _gasnett_trace_printf_noop
#define GASNETT_STATS_PRINTF_FORCE _gasnett_trace_printf_noop
#define GASNETT_STATS_DUMP(reset) ((void)(reset))

/* The kinds of events that are traced, and those that are counted, as letters.
 */
#define GASNETT_TRACE_GETMASK gasnetti_trace_mask
#define GASNETT_TRACE_SETMASK gasnetti_trace_set_mask
#define GASNETT_STATS_GETMASK gasnetti_trace_mask
#define GASNETT_STATS_SETMASK gasnetti_trace_set_mask

/* Nonzero if operations of a node on itself are traced. */
#define GASNETT_TRACE_GET_TRACELOCAL gasnetti_trace_local
#define GASNETT_TRACE_SET_TRACELOCAL gasnetti_trace_set_local

/* The client's source line that events are attributed to: "" and 0. */
#define GASNETT_TRACE_SETSOURCELINE gasnetti_trace_set_source
#define GASNETT_TRACE_GETSOURCELINE gasnetti_trace_get_source
#define GASNETT_TRACE_FREEZESOURCELINE gasnetti_trace_nothing
#define GASNETT_TRACE_UNFREEZESOURCELINE gasnetti_trace_nothing

#endif /* GASNET_TOOLS_TRACE_H_ */
