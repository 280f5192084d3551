// The calls that are permitted between gasnet_init and gasnet_attach, and the
// bounds of their results (sections 2.1.0.1, 2.1.0.3, 2.1.0.4, 2.2.0.1 and
// 2.2.0.2). One more permitted call, gasnet_exit, has a test of its own.
#include <stdlib.h>

#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kReport = 128 };

uintptr_t global_maximum;
std::atomic<gasnet_node_t> reports{0};

// Returns the number of nodes that the runner asked for.
gasnet_node_t ExpectedNodes() {
  const char* nodes = gasnet_getenv("CONFORMANCE_RANKS");
  CHECK(nodes != nullptr);
  return static_cast<gasnet_node_t>(atoi(nodes));
}

void CheckNodes() {
  CHECK_EQ(gasnet_nodes(), ExpectedNodes());
  CHECK(gasnet_mynode() < gasnet_nodes());
}

void CheckMaximum(uintptr_t size) {
#ifdef GASNET_SEGMENT_EVERYTHING
  CHECK_EQ(size, static_cast<uintptr_t>(-1));
#else
  CHECK(size > 0);
  CHECK_EQ(size % GASNET_PAGESIZE, 0);
#endif
}

void OnReport(gasnet_token_t, gasnet_handlerarg_t high,
              gasnet_handlerarg_t low) {
  const uintptr_t size =
      (static_cast<uintptr_t>(high) << 32) | static_cast<uint32_t>(low);
  CHECK_EQ(size, global_maximum);
  ++reports;
}

// Checks that every node has the same global maximum.
void CompareGlobalMaximum() {
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    CHECK_OK(gasnet_AMRequestShort2(
        peer, kReport, static_cast<gasnet_handlerarg_t>(global_maximum >> 32),
        static_cast<gasnet_handlerarg_t>(global_maximum)));
  }
  GASNET_BLOCKUNTIL(reports == gasnet_nodes());
}

gasnet_handlerentry_t handlers[] = {HANDLER(kReport, OnReport)};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::InitJob(&argc, &argv);
  conformance::CheckNodes();
  const uintptr_t local_maximum = gasnet_getMaxLocalSegmentSize();
  conformance::global_maximum = gasnet_getMaxGlobalSegmentSize();
  conformance::CheckMaximum(local_maximum);
  conformance::CheckMaximum(conformance::global_maximum);
  CHECK(conformance::global_maximum <= local_maximum);

  conformance::AttachJob(conformance::handlers, COUNT_OF(conformance::handlers),
                         0);
  conformance::CheckNodes();
  conformance::CompareGlobalMaximum();
  return conformance::FinishJob();
}
