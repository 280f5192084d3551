// The node that runs a handler determines the meaning of the handler's index.
// The handler table may differ between nodes (sections 2.1.0.2 and 2.3.3).
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kWork = 128, kDone = 129 };

std::atomic<gasnet_node_t> done{0};

// The handler at kWork on nodes with an even number.
void EvenWork(gasnet_token_t token, gasnet_handlerarg_t value) {
  CHECK_OK(gasnet_AMReplyShort2(token, kDone, value, value * 2));
}

// The handler at kWork on nodes with an odd number.
void OddWork(gasnet_token_t token, gasnet_handlerarg_t value) {
  CHECK_OK(gasnet_AMReplyShort2(token, kDone, value, value * 3));
}

void Done(gasnet_token_t token, gasnet_handlerarg_t value,
          gasnet_handlerarg_t result) {
  gasnet_node_t source;
  CHECK_OK(gasnet_AMGetMsgSource(token, &source));
  CHECK_EQ(result, value * (source % 2 == 0 ? 2 : 3));
  ++done;
}

void AskEveryNode() {
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    CHECK_OK(gasnet_AMRequestShort1(
        peer, kWork, static_cast<gasnet_handlerarg_t>(peer) + 1));
  }
  GASNET_BLOCKUNTIL(done == gasnet_nodes());
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kWork, EvenWork),
    HANDLER(kDone, Done),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::InitJob(&argc, &argv);
  if (gasnet_mynode() % 2 == 1) {
    handlers[0] = HANDLER(conformance::kWork, conformance::OddWork);
  }
  conformance::AttachJob(handlers, COUNT_OF(handlers), 0);
  conformance::AskEveryNode();
  return conformance::FinishJob();
}
