// A lock excludes all threads but its holder. The holder waits until another
// thread is known to want the lock. This other thread wants the lock in
// main-line code or in a handler (sections 2.4.4 and 2.4.4.3).
#include <pthread.h>
#include <sched.h>

#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kLockInHandler = 128 };

constexpr int kRounds = 20;
// The number of times that the holder yields. If the lock did not exclude, the
// other thread would enter during these yields.
constexpr int kTurns = 500;

gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
pthread_barrier_t round_begins;
std::atomic<bool> held{false};
std::atomic<bool> wanted{false};
std::atomic<bool> entered{false};

void Reset() { held = wanted = entered = false; }

void Enter() {
  wanted = true;
  gasnet_hsl_lock(&lock);
  entered = true;
  gasnet_hsl_unlock(&lock);
}

void OnLockInHandler(gasnet_token_t) { Enter(); }

void EnterInHandler() {
  CHECK_OK(gasnet_AMRequestShort0(gasnet_mynode(), kLockInHandler));
  GASNET_BLOCKUNTIL(entered);
}

void Hold() {
  gasnet_hsl_lock(&lock);
  held = true;
  while (!wanted) sched_yield();
  for (int i = 0; i < kTurns; ++i) {
    sched_yield();
    CHECK(!entered);
  }
  gasnet_hsl_unlock(&lock);
}

void Want(void (*enter)()) {
  while (!held) sched_yield();
  enter();
}

void Rounds(int thread) {
  for (int round = 0; round < kRounds; ++round) {
    if (thread == 0) Reset();
    pthread_barrier_wait(&round_begins);
    if (thread == 0) Hold();
    if (thread == 1) Want(round % 2 == 0 ? Enter : EnterInHandler);
    pthread_barrier_wait(&round_begins);
  }
}

gasnet_handlerentry_t handlers[] = {HANDLER(kLockInHandler, OnLockInHandler)};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 0);
  CHECK_EQ(pthread_barrier_init(&conformance::round_begins, nullptr, 2), 0);
  conformance::RunThreads(2, conformance::Rounds);
  return conformance::FinishJob();
}
