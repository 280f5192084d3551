#include <pthread.h>
#include <signal.h>

#include <barrier>
#include <cstdlib>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "base/env.h"
#include "base/failure.h"
#include "base/sanitizer.h"
#include "core/thread/handler_safe_lock.h"
#include "core/thread/rules.h"
#include "core/thread/scratch.h"
#include "core/thread/spin_lock.h"
#include "core/thread/thread_state.h"
#include "gtest/gtest.h"

namespace gasnet::thread {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 20000;

TEST(ThreadState, IsTheSameForOneThread) { EXPECT_EQ(&Self(), &Self()); }

TEST(ThreadState, DiffersAmongLiveThreadsAndIsHandedOn) {
  if (!kManyThreads) GTEST_SKIP() << "one client thread under GASNET_SEQ";
  Self();
  uint32_t first = 0;
  std::thread([&] { first = Self().index; }).join();
  uint32_t second = 0;
  std::thread([&] { second = Self().index; }).join();
  EXPECT_NE(first, Self().index);
  EXPECT_EQ(first, second);
}

// Calls GASNet in its destructor, when its thread ends, like the clean-up of a
// language runtime.
struct CallsLast {
  uint32_t* index = nullptr;
  ~CallsLast() { *index = Self().index; }
};
thread_local CallsLast calls_last;

TEST(ThreadState, IsTheSameInDestructorsOfTheThreadAndHandedOnAfterwards) {
  if (!kManyThreads) GTEST_SKIP() << "one client thread under GASNET_SEQ";
  uint32_t first[2], last[2];
  for (int t = 0; t < 2; ++t) {
    std::thread([&, t] {
      calls_last.index = &last[t];  // created first, so destroyed last
      first[t] = Self().index;
    }).join();
  }
  EXPECT_EQ(last[0], first[0]);
  EXPECT_EQ(first[1], first[0]);
  EXPECT_EQ(last[1], first[0]);
}

void CallOnceMore(void* index) {
  *static_cast<uint32_t*>(index) = Self().index;
}

TEST(ThreadState, IsHandedOnThoughAKeysDestructorCalls) {
  if (!kManyThreads) GTEST_SKIP() << "one client thread under GASNET_SEQ";
  pthread_key_t key;
  ASSERT_EQ(pthread_key_create(&key, &CallOnceMore), 0);
  Self();  // creates the library's key
  uint32_t first[2], last[2];
  for (int t = 0; t < 2; ++t) {
    std::thread([&, t] {
      pthread_setspecific(key, &last[t]);
      first[t] = Self().index;
    }).join();
  }
  pthread_key_delete(key);
  EXPECT_EQ(first[1], first[0]);
  EXPECT_EQ(last[1], first[0]);
}

TEST(ThreadState, AThousandThreadsComeAndGoAndLeaveNothing) {
  if (!kManyThreads) GTEST_SKIP() << "one client thread under GASNET_SEQ";
  constexpr uint32_t kMany = 1000;
  Self();
  for (int generation = 0; generation < 10; ++generation) {
    std::barrier all_here(kMany);
    std::vector<uint32_t> indices(kMany);
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < kMany; ++t) {
      threads.emplace_back([&, t] {
        indices[t] = Self().index;
        all_here.arrive_and_wait();
      });
    }
    for (std::thread& thread : threads) thread.join();
    const std::set<uint32_t> all(indices.begin(), indices.end());
    EXPECT_EQ(all.size(), kMany);
    EXPECT_LE(*all.rbegin(), kMany) << "generation " << generation;
  }
}

TEST(HandlerSafeLock, ExcludesThreads) {
  if (!kManyThreads) GTEST_SKIP() << "one client thread under GASNET_SEQ";
  gasneti_hsl lock;
  Init(lock);
  int counter = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        Acquire(lock);
        ++counter;
        // In builds without checks, this is the client's inline fast path.
        if (kChecks ||
            __atomic_exchange_n(&lock.state, 0u, __ATOMIC_RELEASE) == 2) {
          Release(lock);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter, kThreads * kRounds);
  Destroy(lock);
}

TEST(HandlerSafeLock, TryAcquireFailsWhileAnotherThreadHoldsIt) {
  if (!kManyThreads) GTEST_SKIP() << "one client thread under GASNET_SEQ";
  gasneti_hsl lock;
  Init(lock);
  ASSERT_TRUE(TryAcquire(lock));
  std::thread([&] { EXPECT_FALSE(TryAcquire(lock)); }).join();
}

TEST(HandlerSafeLockDeathTest, DestroyingAHeldLockIsFatal) {
  gasneti_hsl lock;
  Init(lock);
  Acquire(lock);
  EXPECT_DEATH(Destroy(lock), "gasnet_hsl_destroy: the lock at .* is held");
}

TEST(SpinLock, ExcludesThreads) {
  if (!kConcurrent) GTEST_SKIP() << "threads are concurrent in GASNET_PAR only";
  SpinLock lock;
  int counter = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        const Holder holder(lock);
        ++counter;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter, kThreads * kRounds);
}

TEST(RulesDeathTest, ViolationsNameTheCall) {
  if (!kChecks) GTEST_SKIP() << "rules are checked in debug builds only";
  gasneti_hsl a = {};
  gasneti_hsl b = {};
  Init(a);
  Init(b);
  EXPECT_DEATH((Acquire(a), Acquire(a)), "gasnet_hsl_lock: .* already held");
  EXPECT_DEATH((Acquire(a), Acquire(b), Release(a)), "reverse order");
  EXPECT_DEATH(Release(a), "gasnet_hsl_unlock: .* not held by this thread");
  EXPECT_DEATH((HoldInterrupts(), HoldInterrupts()), "do not nest");
  EXPECT_DEATH(ResumeInterrupts(), "outside a no-interrupt section");
  EXPECT_DEATH((Acquire(a), RequireMayCommunicate("gasnet_AMPoll")),
               "gasnet_AMPoll called while holding");
  EXPECT_DEATH((HoldInterrupts(), RequireMayCommunicate("gasnet_AMPoll")),
               "gasnet_AMPoll called in a no-interrupt section");
}

// A held lock already is a no-interrupt section, like a handler.
TEST(Rules, HoldAndResumeAreIgnoredWhileALockIsHeld) {
  if (!kChecks) GTEST_SKIP() << "rules are checked in debug builds only";
  gasneti_hsl a = {};
  Init(a);
  Acquire(a);
  HoldInterrupts();
  HoldInterrupts();
  ResumeInterrupts();
  ResumeInterrupts();
  Release(a);
  RequireMayCommunicate("gasnet_AMPoll");
  HoldInterrupts();
  Acquire(a);
  ResumeInterrupts();
  Release(a);
  EXPECT_TRUE(Self().interrupts_held);
  ResumeInterrupts();
}

TEST(Scratch, GrowsToTheLargestNeedAndIsAligned) {
  Scratch scratch;
  for (const size_t nbytes :
       {size_t{1}, size_t{64}, size_t{65}, size_t{5000}}) {
    void* const memory = scratch.AtLeast(nbytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0u);
    memset(memory, 1, nbytes);  // a sanitizer detects memory that is too small
  }
  void* const largest = scratch.AtLeast(5000);
  EXPECT_EQ(scratch.AtLeast(1), largest) << "nothing is allocated any more";
  free(largest);
}

// Uses at least one page of the stack for each call.
int Overflow(int depth) {  // NOLINT(misc-no-recursion)
  if (depth < 0) return 0;
  volatile char page[4096] = {};
  page[depth % 4096] = 1;
  return page[0] + Overflow(depth + 1) + page[1];
}

// The report runs on its own stack, since the thread's is exhausted.
TEST(ThreadStateDeathTest, AnOverflowOfAnyThreadsStackIsReported) {
  if (!kManyThreads) GTEST_SKIP() << "one client thread under GASNET_SEQ";
  if (kAddressSanitizer || kThreadSanitizer) {
    GTEST_SKIP() << "sanitizers report it themselves";
  }
  const auto overflow = [](int threads) {
    SetEnvironment({"GASNET_BACKTRACE=1"});
    InitFailureHandling();
    // Some threads end before the next one starts, and pass their crash stack
    // on.
    for (int i = 1; i < threads; ++i) std::thread([] { Self(); }).join();
    std::thread([] {
      Self();
      exit(Overflow(0));
    }).join();
  };
  for (const int threads : {1, 3}) {
    EXPECT_EXIT(overflow(threads), ::testing::KilledBySignal(SIGSEGV),
                "caught signal SIGSEGV.*\n.*backtrace of the failing thread");
  }
}

}  // namespace
}  // namespace gasnet::thread
