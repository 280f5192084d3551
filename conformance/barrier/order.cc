// No node leaves a barrier before every node has entered it. A node that is a
// phase ahead does not disturb nodes that are behind (sections 3.5.0.1 and
// 3.5.0.2).
//
// Before each barrier a node announces its phase to all nodes. After the
// barrier, the node must find all announcements of that phase. A node that is
// ahead may already have announced the next phase. Nodes do different random
// work between the phases.
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kPhases = 150;

int64_t* Announced(gasnet_node_t owner, gasnet_node_t by) {
  return reinterpret_cast<int64_t*>(SharedMemory(owner)) + by;
}

void Announce(int64_t phase) {
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    gasnet_put(peer, Announced(peer, gasnet_mynode()), &phase, sizeof(phase));
  }
}

void CheckAnnounced(int64_t phase) {
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    volatile int64_t* const word = Announced(gasnet_mynode(), peer);
    const int64_t announced = *word;
    CHECK(announced == phase || announced == phase + 1);
  }
}

// Works for a while, with or without serving the network.
void Dawdle(Random& random) {
  const uint64_t kind = random.Below(6);
  const uint64_t turns = random.Below(kind == 0 ? 2000 : 20);
  for (uint64_t i = 0; i < turns; ++i) {
    random.Next();
    if (kind == 1) CHECK_OK(gasnet_AMPoll());
  }
}

void Run() {
  Random random(gasnet_mynode());
  for (int phase = 1; phase <= kPhases; ++phase) {
    Dawdle(random);
    Announce(phase);
    gasnet_barrier_notify(phase, 0);
    Dawdle(random);
    CHECK_OK(gasnet_barrier_wait(phase, 0));
    CheckAnnounced(phase);
  }
}

void ClearOwnMemory() {
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    *Announced(gasnet_mynode(), peer) = 0;
  }
  Barrier();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::InitJob(&argc, &argv);
  conformance::AttachJob(nullptr, 0, gasnet_nodes() * sizeof(int64_t));
  conformance::ClearOwnMemory();
  conformance::Run();
  return conformance::FinishJob();
}
