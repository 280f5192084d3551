// Tests the warnings of a build with checks. Each warning appears at most once
// in a process, and does not end the process (the implementor's note of section
// 2.4.5). There are warnings for
//
// - a lock that is initialised again without having been destroyed
// - a lock that is held for longer than a second
// - a No-Interrupt Section that lasts longer than a second
//
// The holder of the lock or section itself waits for more than a second.
#include <time.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
gasnet_hsl_t inner = GASNET_HSL_INITIALIZER;

void LetASecondPass() {
  timespec left = {1, 100'000'000};
  while (nanosleep(&left, &left) != 0) {
  }
}

void InitialiseTwice() {
  gasnet_hsl_t fresh;
  gasnet_hsl_init(&fresh);
  gasnet_hsl_destroy(&fresh);
  gasnet_hsl_init(&fresh);  // correct after gasnet_hsl_destroy
  gasnet_hsl_init(&fresh);
  gasnet_hsl_lock(&fresh);
  gasnet_hsl_unlock(&fresh);
  gasnet_hsl_init(&fresh);
  gasnet_hsl_destroy(&fresh);
}

void HoldLockLong() {
  for (int time = 0; time < 2; ++time) {
    gasnet_hsl_lock(&lock);
    gasnet_hsl_lock(&inner);
    LetASecondPass();
    gasnet_hsl_unlock(&inner);
    gasnet_hsl_unlock(&lock);
  }
}

void HoldInterruptsLong() {
  for (int time = 0; time < 2; ++time) {
    gasnet_hold_interrupts();
    LetASecondPass();
    gasnet_resume_interrupts();
  }
}

void BeBrief() {
  for (int time = 0; time < 1000; ++time) {
    gasnet_hold_interrupts();
    gasnet_hsl_lock(&lock);
    gasnet_hsl_unlock(&lock);
    gasnet_resume_interrupts();
  }
}

constexpr Case kCases[] = {
    {"initialise_twice", InitialiseTwice},
    {"hold_lock_long", HoldLockLong},
    {"hold_interrupts_long", HoldInterruptsLong},
    {"be_brief", BeBrief},
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kCases;
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  conformance::RunCase(argc, argv, kCases, COUNT_OF(kCases));
  return conformance::FinishJob();
}
