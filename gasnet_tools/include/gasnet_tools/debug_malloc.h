/* A heap that notices misuse. In debug builds of the library alone, which
 * define GASNET_DEBUGMALLOC.
 *
 * A block is the system's, with guards around it. A write outside of a block, a
 * second free and a pointer that is none of ours are found when the block is
 * freed, resized or checked, and end the process with a message that names the
 * call and the block. New memory is filled with a pattern, and so is freed
 * memory. Blocks belong to this heap: free() must not get them, nor
 * gasnett_debug_free those of malloc().
 */
#ifndef GASNET_TOOLS_DEBUG_MALLOC_H_
#define GASNET_TOOLS_DEBUG_MALLOC_H_

#include <stddef.h>
#include <stdint.h>

#include "gasnet_tools/config.h"

#ifdef GASNET_DEBUGMALLOC

GASNETT_BEGIN_EXTERNC

/* As the functions of the C library, but where there is no memory left the
 * process ends, and a size of 0 gives a block like any other. */
void *gasnett_debug_malloc(size_t size) GASNETT_MALLOC;
void *gasnett_debug_calloc(size_t count, size_t size) GASNETT_MALLOC;
void *gasnett_debug_realloc(void *block, size_t size);
void gasnett_debug_free(void *block);
char *gasnett_debug_strdup(const char *text) GASNETT_MALLOC;
char *gasnett_debug_strndup(const char *text, size_t limit) GASNETT_MALLOC;

/* Checks a block and answers its size; 0 for NULL. */
size_t gasnett_debug_memcheck(void *block);
/* Checks one live block, another one every time. */
void gasnett_debug_memcheck_one(void);
/* Checks all live blocks. */
void gasnett_debug_memcheck_all(void);

/* The contents of the heap now, and its history. Bytes are those asked for. */
typedef struct {
  uint64_t live_objects;
  uint64_t live_bytes;
  uint64_t peak_live_bytes;
  uint64_t allocated_objects;
  uint64_t allocated_bytes;
  uint64_t freed_objects;
  uint64_t freed_bytes;
} gasnett_heapstats_t;

/* Fills *stats. 0. */
int gasnett_getheapstats(gasnett_heapstats_t *stats);

GASNETT_END_EXTERNC

#endif /* GASNET_DEBUGMALLOC */

#endif /* GASNET_TOOLS_DEBUG_MALLOC_H_ */
