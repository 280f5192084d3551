// Threads that send to their own node need not poll. Handlers run on the
// sending thread. Meanwhile the other threads poll, send to the next node, or
// only put.
#include <sched.h>
#include <string.h>

#include <algorithm>
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply, kFromOthers };

constexpr int kSenders = 2;
constexpr int kRounds = 3000;
constexpr size_t kMax = 3000;

// The effects of the calling thread's own messages.
thread_local int handled = 0;
thread_local int answered = 0;
std::atomic<int> finished{0};
std::atomic<int> from_others{0};

void OnRequest(gasnet_token_t token, void* buffer, size_t bytes,
               gasnet_handlerarg_t key) {
  CHECK_PATTERN(buffer, bytes, key);
  ++handled;
  CHECK_OK(gasnet_AMReplyMedium1(token, kReply, buffer, bytes, key));
  CHECK_PATTERN(buffer, bytes, key);
  memset(buffer, 0xEE, bytes);
}
void OnReply(gasnet_token_t, void* buffer, size_t bytes,
             gasnet_handlerarg_t key) {
  CHECK_PATTERN(buffer, bytes, key);
  memset(buffer, 0x11, bytes);
  ++answered;
}
void OnFromOthers(gasnet_token_t, void* buffer, size_t bytes,
                  gasnet_handlerarg_t key) {
  CHECK_PATTERN(buffer, bytes, key);
  ++from_others;
}

void SendToOneself(int thread) {
  char payload[kMax];
  const size_t most = std::min<size_t>(kMax, gasnet_AMMaxMedium());
  for (int round = 1; round <= kRounds; ++round) {
    const size_t bytes = static_cast<size_t>(round * 131) % most;
    const int key = thread * kRounds + round;
    FillPattern(payload, bytes, key);
    CHECK_OK(gasnet_AMRequestMedium1(gasnet_mynode(), kRequest, payload, bytes,
                                     key));
    CHECK_EQ(handled, round);
    CHECK_EQ(answered, round);
    CHECK_PATTERN(payload, bytes, key);
  }
  ++finished;
}

void Poll() {
  while (finished < kSenders) CHECK_OK(gasnet_AMPoll());
}

// Sends to a neighbour node as long as this node's own senders run.
void SendToNeighbour() {
  const gasnet_node_t next = (gasnet_mynode() + 1) % gasnet_nodes();
  char payload[100];
  for (int key = 0; finished < kSenders; ++key) {
    FillPattern(payload, sizeof(payload), key);
    CHECK_OK(gasnet_AMRequestMedium1(next, kFromOthers, payload,
                                     sizeof(payload), key));
  }
}

void Work(int thread) {
  if (thread < kSenders) return SendToOneself(thread);
  thread == kSenders ? Poll() : SendToNeighbour();
}

// No thread polls. One thread sends to its own node and waits for the effects
// of the handlers. The other threads only put.
std::atomic<bool> stop{false};

void WorkWithoutPolls(int thread) {
  if (thread > 0) {
    auto* const there =
        reinterpret_cast<uint64_t*>(SharedMemory(gasnet_mynode()));
    while (!stop) gasnet_put_val(gasnet_mynode(), &there[thread], 1, 8);
    return;
  }
  for (int round = 1; round <= kRounds; ++round) {
    char payload[64];
    FillPattern(payload, sizeof(payload), round);
    CHECK_OK(gasnet_AMRequestMedium1(gasnet_mynode(), kRequest, payload,
                                     sizeof(payload), round));
    while (answered != round) sched_yield();
  }
  stop = true;
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kRequest, OnRequest),
    HANDLER(kReply, OnReply),
    HANDLER(kFromOthers, OnFromOthers),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers),
                        GASNET_PAGESIZE);
  conformance::RunThreads(3, conformance::WorkWithoutPolls);
  conformance::Barrier();
  conformance::RunThreads(conformance::kSenders + 2, conformance::Work);
  return conformance::FinishJob();
}
