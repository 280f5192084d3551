#include <gasnet_tools.h>
#include <string.h>

#include "gasnet_tools/test/check.h"

#ifdef GASNET_DEBUGMALLOC

static void check_blocks(void) {
  char *text = gasnett_debug_strdup("some text");
  char *head = gasnett_debug_strndup("some text", 4);
  unsigned char *zeros = (unsigned char *)gasnett_debug_calloc(3, 5);
  CHECK(strcmp(text, "some text") == 0 && strcmp(head, "some") == 0);
  CHECK(gasnett_count0s(zeros, 15) == 15);
  CHECK(gasnett_debug_memcheck(zeros) == 15);
  CHECK(gasnett_debug_memcheck(head) == 5);
  CHECK(gasnett_debug_memcheck(NULL) == 0);
  text = (char *)gasnett_debug_realloc(text, 100);
  CHECK(strcmp(text, "some text") == 0 && gasnett_debug_memcheck(text) == 100);
  gasnett_debug_memcheck_one();
  gasnett_debug_memcheck_all();
  gasnett_debug_free(text);
  gasnett_debug_free(head);
  gasnett_debug_free(zeros);
  gasnett_debug_free(NULL);
}

void check_debug_malloc(void) {
  gasnett_heapstats_t before;
  gasnett_heapstats_t after;
  void *block;
  CHECK(gasnett_getheapstats(&before) == 0);
  block = gasnett_debug_malloc(1000);
  CHECK((uintptr_t)block % 16 == 0);
  gasnett_getheapstats(&after);
  CHECK(after.live_objects == before.live_objects + 1);
  CHECK(after.live_bytes == before.live_bytes + 1000);
  gasnett_debug_free(block);
  check_blocks();
  gasnett_getheapstats(&after);
  CHECK(after.live_bytes == before.live_bytes);
  CHECK(after.freed_objects > before.freed_objects);
}

#else

void check_debug_malloc(void) {
#ifdef GASNET_DEBUG
#error "every debug build has the debugging heap"
#endif
}

#endif
