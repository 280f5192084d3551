/* A heap that detects misuse. It exists only in debug builds of the library,
 * which define GASNET_DEBUGMALLOC.
 *
 * A block is a block of the system, with guards around it. A write outside of a
 * block, a second free and a pointer that is not from this heap are detected
 * when the block is freed, resized or checked. They end the process with a
 * message that names the call and the block. New memory is filled with a
 * pattern, and so is freed memory. Blocks belong to this heap: free() must not
 * get them, nor gasnett_debug_free those of malloc().
 */
#ifndef GASNET_TOOLS_DEBUG_MALLOC_H_
#define GASNET_TOOLS_DEBUG_MALLOC_H_

#include <stddef.h>
#include <stdint.h>

#include "gasnet_tools/config.h"

#ifdef GASNET_DEBUGMALLOC

GASNETT_BEGIN_EXTERNC

/* Act like the functions of the C library, except that the process ends if
 * there is no memory left, and a size of 0 gives a block like any other. */
void *gasnett_debug_malloc(size_t size) GASNETT_MALLOC;
void *gasnett_debug_calloc(size_t count, size_t size) GASNETT_MALLOC;
void *gasnett_debug_realloc(void *block, size_t size);
void gasnett_debug_free(void *block);
char *gasnett_debug_strdup(const char *text) GASNETT_MALLOC;
char *gasnett_debug_strndup(const char *text, size_t limit) GASNETT_MALLOC;

/* Checks a block and returns its size; 0 for NULL. */
size_t gasnett_debug_memcheck(void *block);
/* Checks one live block, another one every time. */
void gasnett_debug_memcheck_one(void);
/* Checks all live blocks. */
void gasnett_debug_memcheck_all(void);

/* The current contents of the heap, and its history. Bytes are requested bytes.
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
