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

static int thrice(int x) GASNETT_CONST;
static int thrice(int x) { return 3 * x; }
GASNETT_CONSTP(thrice)
static size_t length(const char *text) GASNETT_PURE GASNETT_HOT;
static size_t length(const char *text) { return strlen(text); }
GASNETT_PUREP(length)
GASNETT_MALLOCP(other_bytes)
GASNETT_NEVER_INLINE(four, static int four(void)) { return 4; }
static int must_look(void) GASNETT_WARN_UNUSED_RESULT GASNETT_COLD;
static int must_look(void) { return 5; }
static void unwanted(void) GASNETT_DEPRECATED GASNETT_USED;
static void unwanted(void) {}
static int say(const char *format, ...) {
  (void)format;
  return 6;
}
static GASNETT_FORMAT_PRINTF_FUNCPTR(sayer, 1, 2,
                                     int (*sayer)(const char *format, ...));

static int evaluations;
static int next(void) { return ++evaluations; }

/* Cases 1 and 2 fall through to the next case. */
static int fall(int from) {
  int sum_of_cases = 0;
  switch (from) {
    case 1:
      sum_of_cases += 1;
      GASNETT_FALLTHROUGH
    case 2:
      sum_of_cases += 2;
      GASNETT_FALLTHROUGH
    case 3:
      return sum_of_cases + 3;
    default:
      gasnett_unreachable();
  }
}

static void check_kin(void) {
  sayer = say;
  CHECK(thrice(2) == 6 && length("four") == 4);
  CHECK(four() == 4 && must_look() == 5 && sayer("%d", 1) == 6);
  CHECK(GASNETT_PREDICT_TRUE(7) == 1 && GASNETT_PREDICT_FALSE(0) == 0);
  CHECK(gasnett_constant_p(1));
  gasnett_assume(four() == 4);
  CHECK(fall(1) == 6 && fall(2) == 5 && fall(3) == 3);
  GASNETT_UNUSED_ARGS1(next());
  GASNETT_UNUSED_ARGS2(next(), next());
  GASNETT_UNUSED_ARGS3(next(), next(), next());
  GASNETT_UNUSED_ARGS4(next(), next(), next(), next());
  GASNETT_UNUSED_ARGS5(next(), next(), next(), next(), next());
  GASNETT_UNUSED_ARGS6(next(), next(), next(), next(), next(), next());
  GASNETT_UNUSED_ARGS7(next(), next(), next(), next(), next(), next(), next());
  GASNETT_UNUSED_ARGS8(next(), next(), next(), next(), next(), next(), next(),
                       next());
  CHECK(evaluations == 36);
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
  check_kin();
}
