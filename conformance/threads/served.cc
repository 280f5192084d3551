// With GASNET_PROGRESS_THREAD=1 a node that computes and makes no call still
// runs handlers and sends replies. Without this setting, the waits of this test
// would never end.
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kShort = 128, kMedium, kLong, kGo, kReplyShort, kReplyMedium };

constexpr int kRounds = 30;
constexpr int kAtOnce = 2000;  // more than any queue can hold
constexpr size_t kBytes = 5000;

std::atomic<int> replies{0};
std::atomic<int> requests{0};
std::atomic<int> gone{0};  // rounds that node 0 has ended

void OnShort(gasnet_token_t token, gasnet_handlerarg_t key) {
  ++requests;
  CHECK_OK(gasnet_AMReplyShort1(token, kReplyShort, key));
}

void OnMedium(gasnet_token_t token, void* data, size_t bytes,
              gasnet_handlerarg_t key) {
  CHECK_PATTERN(data, bytes, static_cast<uint32_t>(key));
  ++requests;
  CHECK_OK(gasnet_AMReplyMedium1(token, kReplyMedium, data, bytes, key));
}

void OnLong(gasnet_token_t token, void* data, size_t bytes,
            gasnet_handlerarg_t key) {
  CHECK_EQ(data, SharedMemory(gasnet_mynode()));
  OnMedium(token, data, bytes, key);
}

void OnGo(gasnet_token_t) { ++gone; }

void OnReplyShort(gasnet_token_t, gasnet_handlerarg_t) { ++replies; }

void OnReplyMedium(gasnet_token_t, void* data, size_t bytes,
                   gasnet_handlerarg_t key) {
  CHECK_PATTERN(data, bytes, static_cast<uint32_t>(key));
  ++replies;
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kShort, OnShort),
    HANDLER(kMedium, OnMedium),
    HANDLER(kLong, OnLong),
    HANDLER(kGo, OnGo),
    HANDLER(kReplyShort, OnReplyShort),
    HANDLER(kReplyMedium, OnReplyMedium),
};

// Makes no call of GASNet until handlers of this node have counted to
// `reached`.
void ComputeUntil(const std::atomic<int>& count, int reached) {
  while (count < reached) sched_yield();
}

template <class Send>
void ForOthers(Send send) {
  for (gasnet_node_t node = 1; node < gasnet_nodes(); ++node) send(node);
}

int Others() { return static_cast<int>(gasnet_nodes()) - 1; }

// Sends one message after another. Each message wakes the progress thread.
void AskOneByOne(uint32_t round) {
  std::vector<char> data(kBytes);
  FillPattern(data.data(), kBytes, round);
  const int key = static_cast<int>(round);
  ForOthers([&](gasnet_node_t node) {
    int before = replies;
    CHECK_OK(gasnet_AMRequestShort1(node, kShort, key));
    GASNET_BLOCKUNTIL(replies == before + 1);
    before = replies;
    CHECK_OK(gasnet_AMRequestMedium1(node, kMedium, data.data(),
                                     std::min(kBytes, gasnet_AMMaxMedium()),
                                     key));
    GASNET_BLOCKUNTIL(replies == before + 1);
    before = replies;
    CHECK_OK(gasnet_AMRequestLong1(node, kLong, data.data(), kBytes / 2,
                                   SharedMemory(node), key));
    GASNET_BLOCKUNTIL(replies == before + 1);
  });
}

void AskAtOnce() {
  const int before = replies;
  for (int i = 0; i < kAtOnce; ++i) {
    ForOthers([&](gasnet_node_t node) {
      CHECK_OK(gasnet_AMRequestShort1(node, kShort, i));
    });
  }
  GASNET_BLOCKUNTIL(replies == before + kAtOnce * Others());
}

// Sends requests, then computes. The progress thread handles the replies.
void AskAndCompute(int round) {
  const int before = replies;
  ForOthers([&](gasnet_node_t node) {
    CHECK_OK(gasnet_AMRequestShort1(node, kShort, round));
  });
  ComputeUntil(replies, before + Others());
}

// Runs a round. Between two rounds all nodes poll for a moment in barriers. The
// progress thread stays idle during these polls. It must notice that the nodes
// compute again.
void RunRound(int round) {
  if (gasnet_mynode() == 0) {
    AskOneByOne(static_cast<uint32_t>(round));
    AskAndCompute(round);
    if (round % 10 == 0) AskAtOnce();
    ForOthers([](gasnet_node_t node) {
      CHECK_OK(gasnet_AMRequestShort0(node, kGo));
    });
  } else {
    ComputeUntil(gone, round + 1);
  }
  for (int i = 0; i <= round; ++i) Barrier();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT: the whole program is in there
  StartJob(&argc, &argv, handlers, COUNT_OF(handlers), kBytes);
  for (int round = 0; round < kRounds; ++round) RunRound(round);
  return FinishJob();
}
