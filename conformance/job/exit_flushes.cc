// gasnet_exit flushes a node's output. The output of every node to standard
// output and standard error reaches the console (sections 1.9 and 2.1.0.5). The
// runner counts the lines.
#include "conformance/harness.h"

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  static char buffer[1 << 16];
  setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
  for (int line = 0; line < 100; ++line) {
    printf("node %u prints line %d\n", static_cast<unsigned>(gasnet_mynode()),
           line);
  }
  fprintf(stderr, "node %u complains\n",
          static_cast<unsigned>(gasnet_mynode()));
  conformance::Barrier();
  gasnet_exit(0);
}
