// A thread in GASNET_BLOCKUNTIL sees a peer's put into its node's memory, even
// if the thread sleeps and no message arrives. Section 2.3.5.2 does not require
// this. Runs in each wait mode that sleeps.
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <initializer_list>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kWaits = 128 };

constexpr int kRounds = 5;

// The kernel's number of the waiting thread. Node 0 needs this number to put
// only while the thread sleeps.
std::atomic<pid_t> waiter{0};

void OnWaits(gasnet_token_t, gasnet_handlerarg_t thread) { waiter = thread; }

void Wait() {
  volatile uint64_t* const word =
      reinterpret_cast<uint64_t*>(SharedMemory(gasnet_mynode()));
  *word = 0;
  const auto me = static_cast<gasnet_handlerarg_t>(syscall(SYS_gettid));
  CHECK_OK(gasnet_AMRequestShort1(0, kWaits, me));
  GASNET_BLOCKUNTIL(*word != 0);
  CHECK_EQ(*word, 17);
}

void Put(gasnet_node_t node) {
  GASNET_BLOCKUNTIL(waiter != 0);
  while (!IsAsleep(waiter)) {
    CHECK_OK(gasnet_AMPoll());
    sched_yield();
  }
  waiter = 0;
  gasnet_put_val(node, SharedMemory(node), 17, 8);
}

void TestRound() {
  for (gasnet_node_t node = 1; node < gasnet_nodes(); ++node) {
    if (gasnet_mynode() == node) Wait();
    if (gasnet_mynode() == 0) Put(node);
    Barrier();
  }
}

gasnet_handlerentry_t handlers[] = {HANDLER(kWaits, OnWaits)};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers),
                        GASNET_PAGESIZE);
  for (int mode : {GASNET_WAIT_BLOCK, GASNET_WAIT_SPINBLOCK}) {
    CHECK_OK(gasnet_set_waitmode(mode));
    for (int i = 0; i < conformance::kRounds; ++i) conformance::TestRound();
  }
  return conformance::FinishJob();
}
