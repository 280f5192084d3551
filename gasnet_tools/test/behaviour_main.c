/* Tests the behaviour of every public name, in C and C++ and in both forms. */
#include <gasnet_tools.h>
#include <stdlib.h>

#include "gasnet_tools/test/check.h"

int check_failures = 0;

int main(int argc, char **argv) {
  gasnett_backtrace_init(argc > 0 ? argv[0] : NULL);
  check_annotations();
  check_atomics();
  check_environment();
  check_locks();
  check_numbers();
  check_platform();
  check_system();
  check_trace();
  check_debug_malloc();
  gasnett_flush_streams();
  /* Ends without running the exit handler, and without flushing streams that
     are still open. */
  if (atexit(abort) != 0) ++check_failures;
  gasnett_killmyprocess(check_failures == 0 ? 0 : 1);
}
