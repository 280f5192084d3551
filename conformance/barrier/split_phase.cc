// Between notify and wait a node may do anything else. Operations may be under
// way across a barrier, and the barrier does not synchronize them (section
// 3.5).
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply };

constexpr int kPhases = 40;
constexpr int kWords = 16;

std::atomic<int> replies{0};

void OnRequest(gasnet_token_t token) {
  CHECK_OK(gasnet_AMReplyShort0(token, kReply));
}

void OnReply(gasnet_token_t) { ++replies; }

uint64_t* There(gasnet_node_t owner) {
  return reinterpret_cast<uint64_t*>(SharedMemory(owner)) +
         gasnet_mynode() * kWords;
}

// Exchanges messages, puts and gets that start and end between notify and wait.
void WorkBetween(gasnet_node_t peer, int phase) {
  uint64_t value = phase;
  CHECK_OK(gasnet_AMRequestShort0(peer, kRequest));
  gasnet_put(peer, There(peer), &value, sizeof(value));
  CHECK_EQ(gasnet_get_val(peer, There(peer), sizeof(value)), phase);
  GASNET_BLOCKUNTIL(replies == phase);
}

void SplitPhase(int phase) {
  const gasnet_node_t peer = (gasnet_mynode() + phase) % gasnet_nodes();
  uint64_t words[2] = {};
  gasnet_put_nbi_val(peer, There(peer) + 1, phase + 1, 8);
  const gasnet_handle_t put =
      gasnet_put_nb_val(peer, There(peer) + 2, phase + 2, 8);
  gasnet_barrier_notify(phase, 0);
  WorkBetween(peer, phase);
  CHECK_OK(gasnet_barrier_wait(phase, 0));

  // Operations that began before the barrier are synchronized after it.
  gasnet_wait_syncnb(put);
  gasnet_wait_syncnbi_puts();
  gasnet_get_nbi(&words[0], peer, There(peer) + 1, 8);
  gasnet_get_nbi(&words[1], peer, There(peer) + 2, 8);
  Barrier();
  gasnet_wait_syncnbi_gets();
  CHECK_EQ(words[0], phase + 1);
  CHECK_EQ(words[1], phase + 2);
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kRequest, OnRequest),
    HANDLER(kReply, OnReply),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::InitJob(&argc, &argv);
  conformance::AttachJob(
      handlers, COUNT_OF(handlers),
      gasnet_nodes() * conformance::kWords * sizeof(uint64_t));
  for (int phase = 1; phase <= conformance::kPhases; ++phase) {
    conformance::SplitPhase(phase);
  }
  return conformance::FinishJob();
}
