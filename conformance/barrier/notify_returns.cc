// gasnet_barrier_notify does not wait for other nodes (section 3.5.0.1). A node
// notifies first and then sends messages. The other nodes notify only after
// they have received one.
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kNotified = 128 };

constexpr int kRounds = 5;

std::atomic<int> heard{0};

void OnNotified(gasnet_token_t) { ++heard; }

void NotifyOthers() {
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    if (peer == gasnet_mynode()) continue;
    CHECK_OK(gasnet_AMRequestShort0(peer, kNotified));
  }
}

// Runs a phase in which `first` notifies before any other node does.
void Phase(gasnet_node_t first, int id) {
  const int before = heard;
  Barrier();  // No node gets a message before it has read `heard`.
  if (gasnet_mynode() != first) GASNET_BLOCKUNTIL(heard == before + 1);
  gasnet_barrier_notify(id, 0);
  if (gasnet_mynode() == first) NotifyOthers();
  CHECK_OK(gasnet_barrier_wait(id, 0));
}

gasnet_handlerentry_t handlers[] = {HANDLER(kNotified, OnNotified)};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 0);
  for (int round = 0; round < conformance::kRounds; ++round) {
    for (gasnet_node_t first = 0; first < gasnet_nodes(); ++first) {
      conformance::Phase(first, round);
    }
  }
  return conformance::FinishJob();
}
