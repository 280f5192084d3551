#include <gasnet_tools.h>
#include <stdlib.h>
#include <string.h>

#include "gasnet_tools/test/check.h"

void check_environment(void) {
  CHECK(gasnett_getenv("TOOLS_TEST_UNSET") == NULL);
  gasnett_setenv("TOOLS_TEST_TEXT", "some text");
  CHECK(strcmp(gasnett_getenv("TOOLS_TEST_TEXT"), "some text") == 0);
  CHECK(strcmp(getenv("TOOLS_TEST_TEXT"), "some text") == 0);

  CHECK(gasnett_getenv_int_withdefault("TOOLS_TEST_UNSET", -7, 0) == -7);
  CHECK(gasnett_getenv_dbl_withdefault("TOOLS_TEST_UNSET", 2.5) == 2.5);
  CHECK(gasnett_getenv_yesno_withdefault("TOOLS_TEST_UNSET", 1) == 1);
  CHECK(gasnett_getenv_yesno_withdefault("TOOLS_TEST_UNSET", 0) == 0);

  gasnett_setenv("TOOLS_TEST_NUMBER", "4");
  CHECK(gasnett_getenv_int_withdefault("TOOLS_TEST_NUMBER", 1, 0) == 4);
  CHECK(gasnett_getenv_int_withdefault("TOOLS_TEST_NUMBER", 1, 1024) == 4096);
  CHECK(gasnett_getenv_dbl_withdefault("TOOLS_TEST_NUMBER", 1) == 4);
  gasnett_setenv("TOOLS_TEST_NUMBER", "16MB");
  CHECK(gasnett_getenv_int_withdefault("TOOLS_TEST_NUMBER", 1, 1) == 16 << 20);
  gasnett_setenv("TOOLS_TEST_SWITCH", "Yes");
  CHECK(gasnett_getenv_yesno_withdefault("TOOLS_TEST_SWITCH", 0) == 1);
  gasnett_setenv("TOOLS_TEST_SWITCH", "0");
  CHECK(gasnett_getenv_yesno_withdefault("TOOLS_TEST_SWITCH", 1) == 0);

  CHECK(strcmp(gasnett_getenv_withdefault("TOOLS_TEST_TEXT", "x"),
               "some text") == 0);
  gasnett_unsetenv("TOOLS_TEST_TEXT");
  CHECK(gasnett_getenv("TOOLS_TEST_TEXT") == NULL);
  CHECK(getenv("TOOLS_TEST_TEXT") == NULL);
  CHECK(strcmp(gasnett_getenv_withdefault("TOOLS_TEST_TEXT", "x"), "x") == 0);

  gasnett_setenv("GASNET_VERBOSEENV", "0");
  CHECK(gasnett_verboseenv() == 0);
  gasnett_envint_display("TOOLS_TEST_SILENT", 1, 0, 0);
  gasnett_setenv("GASNET_VERBOSEENV", "1");
  CHECK(gasnett_verboseenv() != 0);
  gasnett_envint_display("TOOLS_TEST_SHOWN_INT", 4096, 1, 1);
  gasnett_envdbl_display("TOOLS_TEST_SHOWN_DBL", 2.5, 0);
  gasnett_envstr_display("TOOLS_TEST_SHOWN_STR", "some", 0);
  gasnett_setenv("GASNET_VERBOSEENV", "0");
}
