// One thread of each node goes through barriers, while the other threads send
// messages and move data. Barriers and data do not delay each other (sections
// 2.3.5.2 and 3.5).
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply };

constexpr int kThreads = 3;
constexpr int kPhases = 100;

std::atomic<bool> finished{false};
std::atomic<int> replies[kThreads];

void OnRequest(gasnet_token_t token, gasnet_handlerarg_t thread) {
  CHECK_OK(gasnet_AMReplyShort1(token, kReply, thread));
}

void OnReply(gasnet_token_t, gasnet_handlerarg_t thread) { ++replies[thread]; }

void GoThroughBarriers() {
  for (int phase = 0; phase < kPhases; ++phase) {
    gasnet_barrier_notify(phase, 0);
    CHECK_OK(gasnet_barrier_wait(phase, 0));
  }
  finished = true;
}

uint64_t* There(gasnet_node_t owner, int thread) {
  return reinterpret_cast<uint64_t*>(SharedMemory(owner)) +
         gasnet_mynode() * kThreads + thread;
}

void MakeTraffic(int thread) {
  Random random(gasnet_mynode() * kThreads + thread);
  for (int round = 1; !finished; ++round) {
    const gasnet_node_t peer =
        static_cast<gasnet_node_t>(random.Below(gasnet_nodes()));
    const uint64_t value = random.Next();
    CHECK_OK(gasnet_AMRequestShort1(peer, kRequest, thread));
    gasnet_put_val(peer, There(peer, thread), value, 8);
    CHECK_EQ(gasnet_get_val(peer, There(peer, thread), 8), value);
    GASNET_BLOCKUNTIL(replies[thread] == round);
  }
}

void Run(int thread) {
  if (thread == 0) {
    GoThroughBarriers();
  } else {
    MakeTraffic(thread);
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
  using conformance::kThreads;
  conformance::InitJob(&argc, &argv);
  conformance::AttachJob(handlers, COUNT_OF(handlers),
                         gasnet_nodes() * kThreads * sizeof(uint64_t));
  conformance::RunThreads(kThreads, conformance::Run);
  return conformance::FinishJob();
}
