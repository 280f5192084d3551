// A thread runs one handler at a time, and does not interrupt it to run
// another. One exception is legal: sending a reply may run handlers of replies
// (section 2.4.1).
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply };

constexpr int kThreads = 3;
constexpr int kRequests = 200;

enum Activity { kNothing, kHandling, kReplying };

thread_local Activity activity = kNothing;
std::atomic<int> replies{0};

void OnRequest(gasnet_token_t token, void* buffer, size_t bytes,
               gasnet_handlerarg_t key) {
  CHECK_EQ(activity, kNothing);
  activity = kHandling;
  CHECK_PATTERN(buffer, bytes, key);
  activity = kReplying;
  CHECK_OK(gasnet_AMReplyShort1(token, kReply, key));
  activity = kHandling;
  // The buffer still belongs to this handler.
  CHECK_PATTERN(buffer, bytes, key);
  activity = kNothing;
}

void OnReply(gasnet_token_t, gasnet_handlerarg_t) {
  CHECK(activity != kHandling);
  const Activity before = activity;
  activity = kHandling;
  ++replies;
  activity = before;
}

void Send(int) {
  char payload[64];
  for (int number = 0; number < kRequests; ++number) {
    FillPattern(payload, sizeof(payload), number);
    const gasnet_node_t peer = (gasnet_mynode() + number) % gasnet_nodes();
    CHECK_OK(gasnet_AMRequestMedium1(peer, kRequest, payload, sizeof(payload),
                                     number));
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
  conformance::RunThreads(conformance::kThreads, conformance::Send);
  GASNET_BLOCKUNTIL(conformance::replies ==
                    conformance::kThreads * conformance::kRequests);
  return conformance::FinishJob();
}
