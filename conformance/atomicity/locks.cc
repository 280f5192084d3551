// Handler-safe locks in the main-line code of one thread: both ways to
// initialise a lock, trying and locking, and several locks at once, released in
// reverse order (sections 2.4.4 and 2.4.5).
#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

gasnet_hsl_t made_statically = GASNET_HSL_INITIALIZER;

void LockAndUnlock(gasnet_hsl_t* lock) {
  for (int i = 0; i < 3; ++i) {
    gasnet_hsl_lock(lock);
    gasnet_hsl_unlock(lock);
    CHECK_OK(gasnet_hsl_trylock(lock));
    gasnet_hsl_unlock(lock);
  }
}

void UseDynamicLock() {
  const auto lock = std::make_unique<gasnet_hsl_t>();
  gasnet_hsl_init(lock.get());
  LockAndUnlock(lock.get());
  gasnet_hsl_destroy(lock.get());
  // A destroyed lock may be initialised again.
  gasnet_hsl_init(lock.get());
  LockAndUnlock(lock.get());
  gasnet_hsl_destroy(lock.get());
}

void UseLocalLock() {
  gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
  LockAndUnlock(&lock);
  gasnet_hsl_destroy(&lock);
}

void HoldSeveral() {
  constexpr int kLocks = 20;
  gasnet_hsl_t locks[kLocks];
  for (gasnet_hsl_t& lock : locks) gasnet_hsl_init(&lock);
  for (int i = 0; i < kLocks; ++i) {
    if (i % 2 == 0) gasnet_hsl_lock(&locks[i]);
    if (i % 2 == 1) CHECK_OK(gasnet_hsl_trylock(&locks[i]));
  }
  for (int i = kLocks - 1; i >= 0; --i) gasnet_hsl_unlock(&locks[i]);
  for (gasnet_hsl_t& lock : locks) LockAndUnlock(&lock);
  for (gasnet_hsl_t& lock : locks) gasnet_hsl_destroy(&lock);
}

// Checks that a section that is open before the lock stays open after it.
void LockInsideSection() {
  gasnet_hold_interrupts();
  LockAndUnlock(&made_statically);
  gasnet_resume_interrupts();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  conformance::LockAndUnlock(&conformance::made_statically);
  conformance::UseDynamicLock();
  conformance::UseLocalLock();
  conformance::HoldSeveral();
  conformance::LockInsideSection();
  gasnet_hsl_destroy(&conformance::made_statically);
  return conformance::FinishJob();
}
