// A client is encouraged, not required, to call gasnet_exit: returning from
// main() or calling exit() ends the job as well (section 2.1.0.5).
#include <stdlib.h>

#include "conformance/harness.h"

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  CHECK_EQ(argc, 2);
  const int code = atoi(argv[1]);
  conformance::Barrier();
  printf("leaving\n");
  exit(code);
}
