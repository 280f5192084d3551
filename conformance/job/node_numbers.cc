// Every number from 0 to gasnet_nodes() - 1 is the number of exactly one node.
// A message to a number reaches that node (sections 1.7, 2.2.0.1 and 2.2.0.2).
#include <atomic>
#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kHello = 128 };

std::unique_ptr<std::atomic<int>[]> hellos_from;
std::atomic<gasnet_node_t> hellos{0};

void Hello(gasnet_token_t, gasnet_handlerarg_t from, gasnet_handlerarg_t to) {
  CHECK_EQ(to, gasnet_mynode());
  CHECK(static_cast<gasnet_node_t>(from) < gasnet_nodes());
  ++hellos_from[from];
  ++hellos;
}

void GreetEveryNode() {
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    CHECK_OK(gasnet_AMRequestShort2(
        peer, kHello, static_cast<gasnet_handlerarg_t>(gasnet_mynode()),
        static_cast<gasnet_handlerarg_t>(peer)));
  }
  GASNET_BLOCKUNTIL(hellos == gasnet_nodes());
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    CHECK_EQ(hellos_from[peer], 1);
  }
}

gasnet_handlerentry_t handlers[] = {HANDLER(kHello, Hello)};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::InitJob(&argc, &argv);
  conformance::hellos_from =
      std::make_unique<std::atomic<int>[]>(gasnet_nodes());
  conformance::AttachJob(conformance::handlers, COUNT_OF(conformance::handlers),
                         0);
  conformance::GreetEveryNode();
  return conformance::FinishJob();
}
