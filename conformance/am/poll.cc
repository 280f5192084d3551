// A node that only computes and calls gasnet_AMPoll serves the network. Its
// peers' messages are handled without any other call (section 2.3.5.1).
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply, kStop };

constexpr int kMessages = 100;

std::atomic<int> replies{0};
std::atomic<gasnet_node_t> finished{0};

void OnRequest(gasnet_token_t token) {
  CHECK_OK(gasnet_AMReplyShort0(token, kReply));
}

void OnReply(gasnet_token_t) { ++replies; }

void OnStop(gasnet_token_t) { ++finished; }

// Polls, on node 0, until every other node has reported that it has all its
// answers.
void Serve() {
  while (finished < gasnet_nodes() - 1) CHECK_OK(gasnet_AMPoll());
}

void AskNodeZero() {
  for (int i = 0; i < kMessages; ++i) {
    CHECK_OK(gasnet_AMRequestShort0(0, kRequest));
  }
  while (replies < kMessages) CHECK_OK(gasnet_AMPoll());
  CHECK_OK(gasnet_AMRequestShort0(0, kStop));
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kRequest, OnRequest),
    HANDLER(kReply, OnReply),
    HANDLER(kStop, OnStop),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 0);
  CHECK_OK(gasnet_AMPoll());  // a poll with nothing to do
  if (gasnet_mynode() == 0) {
    conformance::Serve();
  } else {
    conformance::AskNodeZero();
  }
  return conformance::FinishJob();
}
