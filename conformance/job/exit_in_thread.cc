// Any thread may call gasnet_exit (section 2.1.0.5).
#include "conformance/harness.h"

namespace conformance {
namespace {

void ExitOnLastNode(int) {
  if (gasnet_mynode() == gasnet_nodes() - 1) gasnet_exit(42);
  for (;;) CHECK_OK(gasnet_AMPoll());
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  conformance::RunThreads(1, conformance::ExitOnLastNode);
  CHECK(!"the threads end");
  return 1;
}
