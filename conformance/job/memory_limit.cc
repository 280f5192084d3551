// If little memory is available, gasnet_getMaxLocalSegmentSize returns the size
// that is available (section 2.1.0.3). The argument is the limit in MiB that
// each node sets for itself (RLIMIT_AS) before it starts GASNet.
#include <stdlib.h>
#include <sys/resource.h>

#include <vector>

#include "base/sanitizer.h"
#include "conformance/harness.h"

namespace conformance {
namespace {

// False with sanitizers: they map more memory than any useful limit allows.
constexpr bool kMayLimit =
    !gasnet::kAddressSanitizer && !gasnet::kThreadSanitizer;

void LimitMemory(rlim_t mebibytes) {
  const rlimit limit = {mebibytes << 20, mebibytes << 20};
  CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
}

void TouchBothEnds(gasnet_node_t node) {
  std::vector<gasnet_seginfo_t> segments(gasnet_nodes());
  CHECK_OK(
      gasnet_getSegmentInfo(segments.data(), static_cast<int>(gasnet_nodes())));
  CHECK(segments[node].size > 0);
  char* const first = static_cast<char*>(segments[node].addr);
  for (char* at : {first, first + segments[node].size - 1}) {
    gasnet_put_val(node, at, 7, 1);
    CHECK_EQ(gasnet_get_val(node, at, 1), 7);
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  // Launchers may add arguments, but the limit is always the last one.
  const char* const mebibytes = argv[argc - 1];
  if (conformance::kMayLimit) {
    conformance::LimitMemory(strtoul(mebibytes, nullptr, 10));
  }
  conformance::InitJob(&argc, &argv);
  CHECK_OK(gasnet_attach(nullptr, 0, gasnet_getMaxLocalSegmentSize(), 0));
  if (!conformance::kMayLimit) {
    conformance::SkipTest("sanitizers have mapped more than the limit");
  }
  conformance::TouchBothEnds((gasnet_mynode() + 1) % gasnet_nodes());
  return conformance::FinishJob();
}
