// A thread in GASNET_BLOCKUNTIL wakes although another thread ran the handler.
// It does not stop other threads from sending. A node whose threads all block
// still makes progress (section 2.3.5.2). Runs in each wait mode.
#include <atomic>
#include <initializer_list>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply };

constexpr int kThreads = 4;
constexpr int kRounds = 25;

// Number of replies, indexed by the thread that waits for them.
std::atomic<int> replies[kThreads];

void OnRequest(gasnet_token_t token, gasnet_handlerarg_t thread) {
  CHECK_OK(gasnet_AMReplyShort1(token, kReply, thread));
}

void OnReply(gasnet_token_t, gasnet_handlerarg_t thread) { ++replies[thread]; }

gasnet_node_t Next() { return (gasnet_mynode() + 1) % gasnet_nodes(); }

// Sends a request and blocks until its reply, round after round, in all threads
// of all nodes. Any thread that happens to poll runs the handlers for the
// others.
void AskAndBlock(int thread) {
  for (int round = 1; round <= kRounds; ++round) {
    CHECK_OK(gasnet_AMRequestShort1(Next(), kRequest, thread));
    GASNET_BLOCKUNTIL(replies[thread] == round);
  }
}

// Thread 0 blocks and sends no request. Thread 1 sends requests on its behalf
// and then polls until thread 0 has woken, so thread 1 usually runs the
// handler.
std::atomic<bool> woken{false};

void BlockWhileAnotherPolls(int thread) {
  if (thread == 0) {
    GASNET_BLOCKUNTIL(replies[0] == kRounds);
    woken = true;
    return;
  }
  for (int i = 0; i < kRounds; ++i) {
    CHECK_OK(gasnet_AMRequestShort1(Next(), kRequest, 0));
  }
  while (!woken) CHECK_OK(gasnet_AMPoll());
}

void ResetReplies() {
  Barrier();
  for (std::atomic<int>& count : replies) count = 0;
  woken = false;
  Barrier();
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
  for (int mode :
       {GASNET_WAIT_SPINBLOCK, GASNET_WAIT_BLOCK, GASNET_WAIT_SPIN}) {
    CHECK_OK(gasnet_set_waitmode(mode));
    conformance::ResetReplies();
    conformance::RunThreads(conformance::kThreads, conformance::AskAndBlock);
    conformance::ResetReplies();
    conformance::RunThreads(2, conformance::BlockWhileAnotherPolls);
  }
  return conformance::FinishJob();
}
