// All threads of every node send Short requests to every other node, more than
// any buffer holds. Each request is answered. There is no deadlock (section
// 2.3).
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply };

constexpr int kThreads = 3;
constexpr int kRequests = 800;  // from each thread to each node

std::atomic<int> requests{0};
std::atomic<int> replies{0};

void OnRequest(gasnet_token_t token, gasnet_handlerarg_t number) {
  ++requests;
  CHECK_OK(gasnet_AMReplyShort1(token, kReply, ~number));
}

void OnReply(gasnet_token_t, gasnet_handlerarg_t number) {
  CHECK(~number >= 0 && ~number < kRequests);
  ++replies;
}

void Flood(int) {
  for (int number = 0; number < kRequests; ++number) {
    for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
      CHECK_OK(gasnet_AMRequestShort1(peer, kRequest, number));
    }
  }
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
  conformance::RunThreads(conformance::kThreads, conformance::Flood);
  const int expected = conformance::kThreads * conformance::kRequests *
                       static_cast<int>(gasnet_nodes());
  GASNET_BLOCKUNTIL(conformance::replies == expected);
  // Once all nodes have their replies, all requests have been handled.
  conformance::Barrier();
  CHECK_EQ(conformance::requests, expected);
  return conformance::FinishJob();
}
