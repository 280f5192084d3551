// A thread sends a request to its own node, and does not poll. The request must
// wake another thread of this node that sleeps in GASNET_BLOCKUNTIL (sections
// 2.3.5.2 and 3.6.2.1).
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128 };

constexpr int kRounds = 50;

std::atomic<int> handled{0};
std::atomic<pid_t> sleeper{0};

void OnRequest(gasnet_token_t) { ++handled; }

void SleepAndWake(int thread) {
  if (thread == 0) sleeper = static_cast<pid_t>(syscall(SYS_gettid));
  for (int round = 1; round <= kRounds; ++round) {
    if (thread == 0) {
      GASNET_BLOCKUNTIL(handled == round);
      continue;
    }
    while (sleeper == 0 || !IsAsleep(sleeper)) sched_yield();
    CHECK_OK(gasnet_AMRequestShort0(gasnet_mynode(), kRequest));
    // The handler's effect is visible without a poll.
    while (handled != round) sched_yield();
  }
}

gasnet_handlerentry_t handlers[] = {HANDLER(kRequest, OnRequest)};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 0);
  CHECK_OK(gasnet_set_waitmode(GASNET_WAIT_BLOCK));
  conformance::RunThreads(2, conformance::SleepAndWake);
  return conformance::FinishJob();
}
