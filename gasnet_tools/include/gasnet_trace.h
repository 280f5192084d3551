/* The contents of gasnet_tools/trace.h, and functions that describe transfers
 * as text. The functions may be called everywhere, at any time.
 */
#ifndef GASNET_TRACE_H_
#define GASNET_TRACE_H_

#include "gasnet.h"
#include "gasnet_tools/trace.h"

GASNETI_EXTERN_C_BEGIN

/* The functions below describe the memory of a vector, indexed or strided
 * transfer. They write a string to buf. The matching _bufsz function returns
 * the required size of buf in bytes. */

/* Describe count pieces of len bytes each, at the addresses in list. */
size_t gasnett_format_addrlist_bufsz(size_t count);
void gasnett_format_addrlist(char *buf, size_t count, void *const *list,
                             size_t len);

/* Describe count pieces, each with its own length. */
size_t gasnett_format_memveclist_bufsz(size_t count);
void gasnett_format_memveclist(char *buf, size_t count,
                               gasnet_memvec_t const *list);

/* Describe a strided transfer between dst and src. `node` owns one of the two.
 * count has levels + 1 entries, the strides have levels entries. stats is
 * ignored. gasnett_format_putsgets returns the number of bytes that are
 * transferred. */
size_t gasnett_format_putsgets_bufsz(size_t levels);
size_t gasnett_format_putsgets(char *buf, void *stats, gasnet_node_t node,
                               void *dst, size_t const dststrides[], void *src,
                               size_t const srcstrides[], size_t const count[],
                               size_t levels);

GASNETI_EXTERN_C_END

#endif /* GASNET_TRACE_H_ */
