#include <gasnet_tools.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "gasnet_tools/test/check.h"

GASNETT_IDENT(behaviour_ident, "$behaviour ident: kept $");
GASNETT_IDENT(behaviour_ident, "$behaviour ident: kept twice $");

GASNETT_EXTERNC int first_external(void);
GASNETT_BEGIN_EXTERNC
int second_external(void) { return 2; }
GASNETT_END_EXTERNC
int first_external(void) { return 1; }

GASNETT_INLINE(twice) int twice(int x) { return 2 * x; }

GASNETT_INLINE(new_bytes) GASNETT_MALLOC void *new_bytes(size_t size) {
  return malloc(size);
}
static void *other_bytes(size_t size) GASNETT_MALLOC;
static void *other_bytes(size_t size) { return malloc(size); }

GASNETT_NORETURN static void leave(void) { exit(1); }
GASNETT_NORETURNP(leave)
void leave_later(void) GASNETT_NORETURN;
void leave_later(void) { leave(); }

static void GASNETT_FORMAT_PRINTF(print_to, 2, 3,
                                  print_to(char *out, const char *format,
                                           ...)) {
  va_list args;
  va_start(args, format);
  vsnprintf(out, 32, format, args);
  va_end(args);
}

static int sum(const int *GASNETT_RESTRICT a, const int *GASNETT_RESTRICT b) {
  return *a + *b;
}

void check_annotations(void) {
  char text[32];
  int one = 1;
  int two = 2;
  void *memory = new_bytes(8);
  void *more = other_bytes(8);
  void (*volatile never)(void) = NULL;
  CHECK(first_external() == 1 && second_external() == 2);
  CHECK(twice(21) == 42);
  CHECK(memory != NULL && more != NULL && memory != more);
  free(memory);
  free(more);
  if (never != NULL) leave_later();
  print_to(text, "%d+%s", 1, "two");
  CHECK(strcmp(text, "1+two") == 0);
  CHECK(sum(&one, &two) == 3);
  CHECK(strcmp(GASNETT_CURRENT_FUNCTION, "check_annotations") == 0);
}
