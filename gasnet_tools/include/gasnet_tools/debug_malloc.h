/* A heap that detects misuse. It exists only in debug builds of the library,
 * which define GASNET_DEBUGMALLOC.
 *
 * A block of this heap is a block of the system's heap with guards around it.
 * When a block is freed, resized or checked, these misuses are detected:
 * - a write outside of the block
 * - a second free
 * - a pointer that is not from this heap
 *
 * Each misuse ends the process with a message that names the call and the
 * block. New and freed memory is filled with patterns. Do not pass blocks of
 * this heap to free(), or blocks of malloc() to gasnett_debug_free.
 */
#ifndef GASNET_TOOLS_DEBUG_MALLOC_H_
#define GASNET_TOOLS_DEBUG_MALLOC_H_

#include <stddef.h>
#include <stdint.h>

#include "gasnet_tools/config.h"

#ifdef GASNET_DEBUGMALLOC

GASNETT_BEGIN_EXTERNC

/* Act like the functions of the C library, with two exceptions. If no memory is
 * left, the process ends. A size of 0 gives an ordinary block. */
void *gasnett_debug_malloc(size_t size) GASNETT_MALLOC;
void *gasnett_debug_calloc(size_t count, size_t size) GASNETT_MALLOC;
void *gasnett_debug_realloc(void *block, size_t size);
void gasnett_debug_free(void *block);
char *gasnett_debug_strdup(const char *text) GASNETT_MALLOC;
char *gasnett_debug_strndup(const char *text, size_t limit) GASNETT_MALLOC;

/* Checks a block and returns its size; 0 for NULL. */
size_t gasnett_debug_memcheck(void *block);
/* Checks one live block, a different one in each call. */
void gasnett_debug_memcheck_one(void);
/* Checks all live blocks. */
void gasnett_debug_memcheck_all(void);

/* Describes the heap's live blocks and its history. All byte counts are sums of
   the requested sizes, without guards.
 */
typedef struct {
  uint64_t live_objects;
  uint64_t live_bytes;
  uint64_t peak_live_bytes;
  uint64_t allocated_objects;
  uint64_t allocated_bytes;
  uint64_t freed_objects;
  uint64_t freed_bytes;
} gasnett_heapstats_t;

/* Fills *stats and returns 0. */
int gasnett_getheapstats(gasnett_heapstats_t *stats);

GASNETT_END_EXTERNC

#endif /* GASNET_DEBUGMALLOC */

#endif /* GASNET_TOOLS_DEBUG_MALLOC_H_ */
