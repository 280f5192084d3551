// Tests of the observation of calls, handlers and waits (seam.h) on several
// threads.
#include <atomic>
#include <thread>
#include <vector>

#include "core/observe/seam.h"
#include "core/observe/testing/observed_test.h"
#include "gtest/gtest.h"

namespace gasnet::observe {
namespace {

using SeamThreadsTest = ObservedTest;

// An event that threads wait for.
class Event {
 public:
  void Happen() {
    happened_.store(true);
    happened_.notify_all();
  }
  void Await() const { happened_.wait(false); }

 private:
  std::atomic<bool> happened_{false};
};

TEST_F(SeamThreadsTest, EachThreadHasALog) {
  constexpr int kThreads = 4;
  constexpr int kCallsOfEach = 500;
  std::atomic<int> here{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      ++here;
      while (here < kThreads) std::this_thread::yield();
      for (int call = 0; call < kCallsOfEach; ++call) {
        Function<Call::kPut>(1, 2);
        const HandlerObservation scope(0, 200, 1);
      }
      ++here;  // no thread ends before all threads have a log
      while (here < 2 * kThreads) std::this_thread::yield();
    });
  }
  // Reads the counts while threads run. The counts never shrink.
  uint64_t seen = 0;
  while (here < 2 * kThreads) {
    const uint64_t calls = Of(Call::kPut).calls;
    EXPECT_GE(calls, seen);
    seen = calls;
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Of(Call::kPut).calls, uint64_t{kThreads} * kCallsOfEach);
  EXPECT_EQ(Of(Call::kPut).bytes, 2 * uint64_t{kThreads} * kCallsOfEach);
  EXPECT_EQ(OfHandler(200).runs, uint64_t{kThreads} * kCallsOfEach);
  EXPECT_EQ(Now().peers[1].operations, uint64_t{kThreads} * kCallsOfEach);
  EXPECT_EQ(Now().threads, uint32_t{kThreads});
}

TEST_F(SeamThreadsTest, AThreadThatEndsHandsItsLogOn) {
  for (int i = 0; i < 5; ++i) {
    std::thread([] {
      Function<Call::kPut>(1, 1);
      Function<Call::kPut>(1, 1);
    }).join();
    EXPECT_EQ(Of(Call::kPut).calls, 2u * (i + 1));
    EXPECT_EQ(Now().threads, 1u);
  }
}

// A thread passes on its log when it ends, even if it ran only handlers and
// waits.
TEST_F(SeamThreadsTest, AThreadWithoutCallsHandsItsLogOn) {
  for (int i = 0; i < 3; ++i) {
    std::thread([] {
      { const HandlerObservation scope(0, 200, 1); }
      ObservedWait wait;
      wait.Begin();
      wait.End([] { return Waiting{}; });
    }).join();
    EXPECT_EQ(OfHandler(200).runs, 1u + i);
    EXPECT_EQ(OfWait(WaitFor::kAnything).timed, 1u + i);
    EXPECT_EQ(Now().threads, 1u);
  }
  std::thread([] { Function<Call::kPut>(1, 1); }).join();
  EXPECT_EQ(Of(Call::kPut).calls, 1u);
  EXPECT_EQ(Now().threads, 1u);
}

// A thread calls GASNet in the destructor of a thread_local object.
TEST_F(SeamThreadsTest, CallsAtTheEndOfAThreadAreCounted) {
  struct CallsAtEnd {
    ~CallsAtEnd() { Function<Call::kGet>(1, 1); }
  };
  std::thread([] {
    thread_local CallsAtEnd calls;
    static_cast<void>(calls);
    Function<Call::kPut>(1, 1);
  }).join();
  EXPECT_EQ(Of(Call::kPut).calls, 1u);
  EXPECT_EQ(Of(Call::kGet).calls, 1u);
  EXPECT_EQ(Now().threads, 1u);
}

TEST_F(SeamThreadsTest, AThreadLivesThroughSeveralObservers) {
  Event called;
  Event ended;
  Event called_unobserved;
  Event begun;
  std::thread thread([&] {
    Function<Call::kPut>(1, 1);
    called.Happen();
    ended.Await();
    Function<Call::kPut>(1, 1);
    EXPECT_FALSE(IsObserved());
    called_unobserved.Happen();
    begun.Await();
    Function<Call::kPut>(1, 1);
    Function<Call::kPut>(1, 1);
  });
  Function<Call::kPut>(1, 1);
  called.Await();
  EXPECT_EQ(Of(Call::kPut).calls, 2u);
  End();
  ended.Happen();
  called_unobserved.Await();
  Function<Call::kPut>(1, 1);
  Start();
  EXPECT_EQ(Of(Call::kPut).calls, 0u);
  begun.Happen();
  thread.join();
  Function<Call::kPut>(1, 1);
  EXPECT_EQ(Of(Call::kPut).calls, 3u);
  EXPECT_EQ(Now().threads, 2u);
}

// A thread that polls takes the completions of all threads.
TEST_F(SeamThreadsTest, AnotherThreadMayCompleteATransfer) {
  TransferObservation put;
  TransferObservation unnoticed;
  put.Post(TransferKind::kPut, 1, 8);
  unnoticed.Post(TransferKind::kPut, 1, 8);
  std::thread([&] {
    // This thread has no log, and gets none: it may be in a signal handler.
    unnoticed.Complete();
    EXPECT_EQ(Now().threads, 1u);
    Function<Call::kAMPoll>();
    put.Complete();
  }).join();
  EXPECT_EQ(Now().threads, 2u);
  EXPECT_EQ(OfTransfers(TransferKind::kPut).posted, 2u);
  EXPECT_EQ(OfTransfers(TransferKind::kPut).completed, 1u);
  EXPECT_EQ(OfTransfers(TransferKind::kPut).times.timed, 1u);
}

// The thread ends while the main thread ends observing. Neither thread calls
// GASNet during that time.
TEST_F(SeamThreadsTest, AThreadMayEndWhileObservingEnds) {
  for (int round = 0; round < 200; ++round) {
    Event called;
    Event go;
    std::thread thread([&] {
      Function<Call::kPut>(1, 1);
      called.Happen();
      go.Await();
    });
    called.Await();
    EXPECT_EQ(Of(Call::kPut).calls, 1u);
    go.Happen();
    End();
    Start();
    thread.join();
  }
}

TEST_F(SeamThreadsTest, AThreadThatEndedUnobservedIsObservedAgain) {
  std::thread([] { Function<Call::kPut>(1, 1); }).join();
  End();
  std::thread([] { Function<Call::kPut>(1, 1); }).join();
  Start();
  std::thread([] { Function<Call::kPut>(1, 1); }).join();
  EXPECT_EQ(Of(Call::kPut).calls, 1u);
  EXPECT_EQ(Now().threads, 1u);
}

}  // namespace
}  // namespace gasnet::observe
