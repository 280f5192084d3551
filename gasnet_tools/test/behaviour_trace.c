/* Tests that nothing is traced, and that each trace macro evaluates its
   arguments once. */
#include <gasnet_tools.h>
#include <string.h>

#include "gasnet_tools/test/check.h"

static int evaluated;
static const char *text(void) {
  ++evaluated;
  return "%d";
}
static int number(void) {
  ++evaluated;
  return 1;
}

void check_trace(void) {
  const char *file = NULL;
  unsigned line = 1;
  GASNETT_TRACE_PRINTF(text(), number());
  GASNETT_TRACE_PRINTF_FORCE(text(), number(), number());
  CHECK(evaluated == 5);
  GASNETT_STATS_PRINTF(text(), number());
  GASNETT_STATS_PRINTF_FORCE(text(), number());
  _gasnett_trace_printf_noop(text(), number());
  GASNETT_STATS_DUMP(number());
  CHECK(evaluated == 12);
  evaluated = 5;
  GASNETT_TRACE_SETMASK(text());
  GASNETT_STATS_SETMASK(text());
  GASNETT_TRACE_SET_TRACELOCAL(number());
  GASNETT_TRACE_SETSOURCELINE(text(), (unsigned)number());
  CHECK(evaluated == 10);
  GASNETT_TRACE_FREEZESOURCELINE();
  GASNETT_TRACE_UNFREEZESOURCELINE();
  GASNETT_TRACE_GETSOURCELINE(&file, &line);
  CHECK(file != NULL && strcmp(file, "") == 0 && line == 0);
  CHECK(!GASNETT_TRACE_ENABLED);
  CHECK(strcmp(GASNETT_TRACE_GETMASK(), "") == 0);
  CHECK(strcmp(GASNETT_STATS_GETMASK(), "") == 0);
  CHECK(GASNETT_TRACE_GET_TRACELOCAL() == 0);
}
