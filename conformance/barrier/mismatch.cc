// Tests every cause of a mismatch that section 3.5.0.2 lists. Some mismatches
// must be reported on all nodes, and some on one node only. The phase after a
// mismatch is like any other.
#include <initializer_list>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kAnonymous = GASNET_BARRIERFLAG_ANONYMOUS;
constexpr int kMismatch = GASNET_BARRIERFLAG_MISMATCH;

int Me() { return static_cast<int>(gasnet_mynode()); }
int Nodes() { return static_cast<int>(gasnet_nodes()); }

// Runs one phase. `mismatch` is true if this node's wait must report a
// mismatch.
void Phase(int notify_id, int notify_flags, int wait_id, int wait_flags,
           bool mismatch) {
  gasnet_barrier_notify(notify_id, notify_flags);
  CHECK_RESULT(gasnet_barrier_wait(wait_id, wait_flags),
               mismatch ? GASNET_ERR_BARRIER_MISMATCH : GASNET_OK);
}

void SoundPhases() {
  Phase(5, 0, 5, 0, false);
  Phase(0, kAnonymous, 0, kAnonymous, false);
}

// Gives another id on one node; all nodes learn of the mismatch.
void IdsDiffer(int who) {
  const int id = Me() == who ? 1 : 2;
  Phase(id, 0, id, 0, Nodes() > 1);
}

// Gives different ids on two nodes. All other nodes are anonymous, and learn of
// the mismatch too.
void IdsDifferAmongAnonymous(int who) {
  const int other = (who + 1) % Nodes();
  const bool named = Me() == who || Me() == other;
  const int id = Me() == who ? 1 : 2;
  const int flags = named ? 0 : kAnonymous;
  Phase(id, flags, id, flags, Nodes() > 1);
}

// Declares a mismatch on one node; all nodes learn of it.
void Declared(int who) {
  const int flags = Me() == who ? kMismatch : 0;
  Phase(3, flags, 3, flags, true);
  const int others = Me() == who ? kMismatch : kAnonymous;
  Phase(3, others, 3, others, true);
}

void DeclaredByAll() { Phase(Me(), kMismatch, Me(), kMismatch, true); }

// Makes one node wait with another id than it notified. Only that node learns
// of the mismatch.
void WaitIdDiffers(int who) {
  Phase(8, 0, Me() == who ? 9 : 8, 0, Me() == who);
}

// Makes one node wait with other flags than it notified. Only that node learns
// of the mismatch.
void WaitFlagsDiffer(int who) {
  Phase(8, 0, 8, Me() == who ? kAnonymous : 0, Me() == who);
  Phase(8, kAnonymous, 8, Me() == who ? 0 : kAnonymous, Me() == who);
  Phase(8, 0, 8, Me() == who ? kMismatch : 0, Me() == who);
}

void TestNode(int who) {
  for (auto test : {IdsDiffer, IdsDifferAmongAnonymous, Declared, WaitIdDiffers,
                    WaitFlagsDiffer}) {
    test(who);
    SoundPhases();
    test(who);  // runs the test twice without a correct phase in between
    test(who);
    SoundPhases();
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  for (int who = 0; who < conformance::Nodes(); ++who) {
    conformance::TestNode(who);
  }
  conformance::DeclaredByAll();
  conformance::SoundPhases();
  return conformance::FinishJob();
}
