// gasnet_AMGetMsgSource returns the sender of the message, to the handler of a
// request and to the handler of a reply (section 2.3.5.3).
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply };

std::atomic<gasnet_node_t> replies{0};

void CheckSource(gasnet_token_t token, gasnet_handlerarg_t expected) {
  gasnet_node_t source = gasnet_nodes();
  CHECK_OK(gasnet_AMGetMsgSource(token, &source));
  CHECK_EQ(source, expected);
}

void OnRequest(gasnet_token_t token, gasnet_handlerarg_t sender) {
  CheckSource(token, sender);
  CheckSource(token, sender);  // may be called again
  CHECK_OK(gasnet_AMReplyShort1(
      token, kReply, static_cast<gasnet_handlerarg_t>(gasnet_mynode())));
  CheckSource(token, sender);  // may be called after the reply too
}

void OnReply(gasnet_token_t token, gasnet_handlerarg_t sender) {
  CheckSource(token, sender);
  ++replies;
}

void SendToEveryNode() {
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    CHECK_OK(gasnet_AMRequestShort1(
        peer, kRequest, static_cast<gasnet_handlerarg_t>(gasnet_mynode())));
  }
  GASNET_BLOCKUNTIL(replies == gasnet_nodes());
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kRequest, OnRequest),
    HANDLER(kReply, OnReply),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 0);
  conformance::SendToEveryNode();
  return conformance::FinishJob();
}
