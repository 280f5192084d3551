// A Short request runs its handler on the target node, and a Short reply runs
// its handler on the requesting node (sections 2.3, 2.3.3.1 and 2.3.4.1). Every
// node sends to every node, itself included.
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kAsk = 128, kAnswer };

std::atomic<gasnet_node_t> answers{0};

void Ask(gasnet_token_t token, gasnet_handlerarg_t number) {
  CHECK_OK(gasnet_AMReplyShort2(
      token, kAnswer, static_cast<gasnet_handlerarg_t>(gasnet_mynode()),
      -number));
}

void Answer(gasnet_token_t, gasnet_handlerarg_t who,
            gasnet_handlerarg_t number) {
  CHECK_EQ(number, -(who + 1000));
  ++answers;
}

void AskEveryNode() {
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    CHECK_OK(gasnet_AMRequestShort1(
        peer, kAsk, static_cast<gasnet_handlerarg_t>(peer) + 1000));
  }
  GASNET_BLOCKUNTIL(answers == gasnet_nodes());
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kAsk, Ask),
    HANDLER(kAnswer, Answer),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 0);
  conformance::AskEveryNode();
  return conformance::FinishJob();
}
