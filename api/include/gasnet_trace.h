/* Tracing and statistics, as existing programs call them. This library keeps
 * none: the calls below have no effect, evaluate each argument once, and answer
 * that nothing is traced. Only the formatting functions do something.
 *
 * The names without parentheses here are functions or expressions, so a client
 * may give them names of its own. Legal everywhere, at any time.
 */
#ifndef GASNET_TRACE_H_
#define GASNET_TRACE_H_

#include "gasnet.h"

GASNETI_EXTERN_C_BEGIN

GASNETI_INLINE void gasneti_trace_printf(const char *format, ...) {
  (void)format;
}
GASNETI_INLINE const char *gasneti_trace_mask(void) { return ""; }
GASNETI_INLINE void gasneti_trace_set_mask(const char *mask) { (void)mask; }
GASNETI_INLINE void gasneti_trace_set_source(const char *file, unsigned line) {
  (void)file;
  (void)line;
}
GASNETI_INLINE void gasneti_trace_get_source(const char **file,
                                             unsigned *line) {
  *file = "";
  *line = 0;
}
GASNETI_INLINE int gasneti_trace_local(void) { return 0; }
GASNETI_INLINE void gasneti_trace_set_local(int local) { (void)local; }
GASNETI_INLINE void gasneti_trace_nothing(void) {}

/* Whether anything is traced: an expression. */
#define GASNETT_TRACE_ENABLED 0

/* Write a line to the trace: (const char *format, ...). FORCE does so whatever
 * the mask. */
#define GASNETT_TRACE_PRINTF gasneti_trace_printf
#define GASNETT_TRACE_PRINTF_FORCE gasneti_trace_printf

/* Which kinds of events are traced, and which are counted: letters. */
#define GASNETT_TRACE_GETMASK gasneti_trace_mask
#define GASNETT_TRACE_SETMASK gasneti_trace_set_mask
#define GASNETT_STATS_GETMASK gasneti_trace_mask
#define GASNETT_STATS_SETMASK gasneti_trace_set_mask

/* Whether what a node does to itself is traced. */
#define GASNETT_TRACE_GET_TRACELOCAL gasneti_trace_local
#define GASNETT_TRACE_SET_TRACELOCAL gasneti_trace_set_local

/* The client's source line that events are attributed to: "" and 0. */
#define GASNETT_TRACE_SETSOURCELINE gasneti_trace_set_source
#define GASNETT_TRACE_GETSOURCELINE gasneti_trace_get_source
#define GASNETT_TRACE_FREEZESOURCELINE gasneti_trace_nothing
#define GASNETT_TRACE_UNFREEZESOURCELINE gasneti_trace_nothing

/* Describe what a vector, indexed or strided transfer touches, as a string in
 * buf, which is at least as long as the _bufsz function says. */

/* count pieces of len bytes each, at the addresses in list. */
size_t gasnett_format_addrlist_bufsz(size_t count);
void gasnett_format_addrlist(char *buf, size_t count, void *const *list,
                             size_t len);

/* count pieces of any lengths. */
size_t gasnett_format_memveclist_bufsz(size_t count);
void gasnett_format_memveclist(char *buf, size_t count,
                               gasnet_memvec_t const *list);

/* A strided transfer between dst and src, one of which is node's: count has
 * levels + 1 entries, the strides have levels. stats is ignored. Returns the
 * number of bytes that are transferred. */
size_t gasnett_format_putsgets_bufsz(size_t levels);
size_t gasnett_format_putsgets(char *buf, void *stats, gasnet_node_t node,
                               void *dst, size_t const dststrides[], void *src,
                               size_t const srcstrides[], size_t const count[],
                               size_t levels);

GASNETI_EXTERN_C_END

#endif /* GASNET_TRACE_H_ */
