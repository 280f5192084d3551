// Anonymous barriers ignore their ids, and match a barrier that other nodes
// have given a name (sections 3.5.0.1 and 3.5.0.2).
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kAnonymous = GASNET_BARRIERFLAG_ANONYMOUS;

int Me() { return static_cast<int>(gasnet_mynode()); }

// Uses different ids on every node, and different ids for notify and wait.
void IgnoreIds(int phase) {
  gasnet_barrier_notify(Me() * 10 + phase, kAnonymous);
  CHECK_OK(gasnet_barrier_wait(-Me() - phase, kAnonymous));
}

// Names the barrier on only one node.
void OneNamed(int who) {
  const int flags = Me() == who ? 0 : kAnonymous;
  gasnet_barrier_notify(77, flags);
  CHECK_OK(gasnet_barrier_wait(77, flags));
}

// Names the barrier on all nodes but one.
void OneAnonymous(int who) {
  const int flags = Me() == who ? kAnonymous : 0;
  const int id = Me() == who ? 78 : 79;
  gasnet_barrier_notify(id, flags);
  CHECK_OK(gasnet_barrier_wait(id, flags));
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  for (int phase = 0; phase < 50; ++phase) conformance::IgnoreIds(phase);
  const int nodes = static_cast<int>(gasnet_nodes());
  for (int who = 0; who < nodes; ++who) {
    conformance::OneNamed(who);
    conformance::OneAnonymous(who);
  }
  return conformance::FinishJob();
}
