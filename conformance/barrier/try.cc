// While some node has not notified, gasnet_barrier_try does nothing and returns
// GASNET_ERR_NOT_READY. Once all nodes have notified, it acts as a wait
// (section 3.5.0.3).
#include <sched.h>

#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kSawNotReady = 128 };

std::atomic<int> reports{0};

void SawNotReady(gasnet_token_t) { ++reports; }

int Me() { return static_cast<int>(gasnet_mynode()); }
int Nodes() { return static_cast<int>(gasnet_nodes()); }

// Tries until the barrier is complete. A try does not wait, so the client must
// yield to other nodes.
int TryUntilReady(int id, int flags) {
  for (;;) {
    const int result = gasnet_barrier_try(id, flags);
    if (result != GASNET_ERR_NOT_READY) return result;
    sched_yield();
  }
}

// Lets node `last` notify only after every other node has tried several times.
// So all these tries come before the barrier is complete, and must fail.
void OneNotifiesLast(int last, int id, int flags, int expected) {
  if (Me() == last) {
    GASNET_BLOCKUNTIL(reports == Nodes() - 1);
    reports = 0;
    gasnet_barrier_notify(id, flags);
  } else {
    gasnet_barrier_notify(id, flags);
    for (int i = 0; i < 5; ++i) {
      CHECK_RESULT(gasnet_barrier_try(id, flags), GASNET_ERR_NOT_READY);
    }
    CHECK_OK(gasnet_AMRequestShort0(last, kSawNotReady));
  }
  CHECK_RESULT(TryUntilReady(id, flags), expected);
}

// Completes a barrier in three ways: some nodes try, some wait, and some try
// once and then wait.
void TryAndWait(int phase) {
  gasnet_barrier_notify(phase, 0);
  const int way = (Me() + phase) % 3;
  if (way == 0) {
    CHECK_OK(TryUntilReady(phase, 0));
    return;
  }
  if (way == 1 && gasnet_barrier_try(phase, 0) == GASNET_OK) return;
  CHECK_OK(gasnet_barrier_wait(phase, 0));
}

gasnet_handlerentry_t handlers[] = {HANDLER(kSawNotReady, SawNotReady)};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  using conformance::OneNotifiesLast;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 0);
  for (int last = 0; last < conformance::Nodes(); ++last) {
    OneNotifiesLast(last, last, 0, GASNET_OK);
    OneNotifiesLast(last, 0, GASNET_BARRIERFLAG_ANONYMOUS, GASNET_OK);
    OneNotifiesLast(last, 0, GASNET_BARRIERFLAG_MISMATCH,
                    GASNET_ERR_BARRIER_MISMATCH);
  }
  for (int phase = 0; phase < 60; ++phase) conformance::TryAndWait(phase);
  return conformance::FinishJob();
}
