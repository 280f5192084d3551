// Several threads of several nodes may call gasnet_exit at the same time with
// different codes. The job ends with one of these codes (section 2.1.0.5).
#include "conformance/harness.h"

namespace conformance {
namespace {

void Exit(int thread) { gasnet_exit(42 + thread); }

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  conformance::Barrier();
  conformance::RunThreads(4, conformance::Exit);
  return 1;
}
