// gasnet_exit may be called as soon as gasnet_init has returned. It even ends
// nodes that wait in gasnet_attach (sections 2.1.0.1 and 2.1.0.5).
#include "conformance/harness.h"

int main(int argc, char** argv) {
  conformance::InitJob(&argc, &argv);
  if (gasnet_mynode() == gasnet_nodes() - 1) gasnet_exit(42);
  CHECK_OK(gasnet_attach(nullptr, 0, 0, 0));
  CHECK(!"attached without the last node");
  return 1;
}
