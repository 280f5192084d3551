// Threads exclude each other by a lock. A thread that tries a lock held by
// another thread gets an error at once (section 2.4.4.3).
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kThreads = 4;
constexpr int kUpdates = 2000;

gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
int guarded = 0;  // guarded by lock

void Increment(int thread) {
  for (int i = 0; i < kUpdates; ++i) {
    if (thread % 2 == 0) {
      gasnet_hsl_lock(&lock);
    } else {
      while (gasnet_hsl_trylock(&lock) != GASNET_OK) CHECK_OK(gasnet_AMPoll());
    }
    ++guarded;
    gasnet_hsl_unlock(&lock);
    LetOthersRun();
  }
}

// Tries while the main thread holds the lock.
void TryInVain(int) {
  CHECK_RESULT(gasnet_hsl_trylock(&lock), GASNET_ERR_NOT_READY);
}

void TryWithSuccess(int) {
  CHECK_OK(gasnet_hsl_trylock(&lock));
  gasnet_hsl_unlock(&lock);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::lock;
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  conformance::RunThreads(conformance::kThreads, conformance::Increment);
  CHECK_EQ(conformance::guarded, conformance::kThreads * conformance::kUpdates);

  gasnet_hsl_lock(&lock);
  conformance::RunThreads(1, conformance::TryInVain);
  gasnet_hsl_unlock(&lock);
  conformance::RunThreads(1, conformance::TryWithSuccess);
  return conformance::FinishJob();
}
