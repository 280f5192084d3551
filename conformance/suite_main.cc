// Usage: PROGRAM TEST [ARGUMENTS]. Runs one of the tests that are linked into
// PROGRAM, as if the test were a separate program.
#include "conformance/suite_main.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  const char* const wanted = argc > 1 ? argv[1] : "";
  for (const SuiteTest* test = kSuite; test->name != nullptr; ++test) {
    if (strcmp(test->name, wanted) != 0) continue;
    argv[1] = argv[0];
    return test->main(argc - 1, argv + 1);
  }
  fprintf(stderr, "%s: no test '%s'; the tests are:\n", argv[0], wanted);
  for (const SuiteTest* test = kSuite; test->name != nullptr; ++test) {
    fprintf(stderr, "  %s\n", test->name);
  }
  return 2;
}
