// The progress thread looks after what has a deadline, and sleeps when nothing
// has. Tests wait for what it does.
#include "core/ip/progress_thread.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/clock.h"

namespace gasnet::ip {
namespace {

// Work that is done when the deadline has passed, and leaves another.
class Work {
 public:
  void SetDeadline(int64_t deadline) { deadline_ = deadline; }
  void SetNext(int64_t deadline) { next_ = deadline; }
  void AwaitLooks(int looks) const {
    while (looks_ < looks) sched_yield();
  }
  int maintained() const { return maintained_; }
  void AwaitMaintained(int times) const {
    while (maintained_ < times) sched_yield();
  }

  int64_t NextDeadline() {
    ++looks_;
    return deadline_;
  }
  void Maintain() {
    EXPECT_LE(deadline_, NowNanos()) << "too early";
    deadline_ = next_.load();
    ++maintained_;
  }

 private:
  std::atomic<int64_t> deadline_{kNever};
  std::atomic<int64_t> next_{kNever};
  std::atomic<int> looks_{0};
  std::atomic<int> maintained_{0};
};

// Both live on, since such threads run until the process ends.
struct Fixture {
  Work& work = *new Work;
  ProgressThread& thread = *new ProgressThread(ProgressThread::WorkOf(work));
};
Fixture& Make() {
  // Reachable to the very end, for who looks for leaks then.
  static auto& all = *new std::vector<Fixture*>;
  all.push_back(new Fixture);
  return *all.back();
}

TEST(ProgressThreadTest, DoesWhatIsDueEachTimeItIsWoken) {
  auto& [work, thread] = Make();
  ASSERT_TRUE(thread.Start().ok());
  for (int round = 1; round <= 20; ++round) {
    work.SetDeadline(NowNanos());
    thread.Wake();
    work.AwaitMaintained(round);
  }
  EXPECT_EQ(work.maintained(), 20);
}

TEST(ProgressThreadTest, GoesOnWhileThereAreDeadlines) {
  auto& [work, thread] = Make();
  ASSERT_TRUE(thread.Start().ok());
  work.SetNext(0);
  work.SetDeadline(0);
  thread.Wake();
  work.AwaitMaintained(5);
  work.SetNext(kNever);
}

TEST(ProgressThreadTest, DoesNothingBeforeItIsDue) {
  auto& [work, thread] = Make();
  ASSERT_TRUE(thread.Start().ok());
  work.SetDeadline(kNever - 1);
  thread.Wake();
  work.AwaitLooks(5);
  EXPECT_EQ(work.maintained(), 0);
  work.SetDeadline(NowNanos());
  work.AwaitMaintained(1);
}

TEST(ProgressThreadTest, FindsADeadlineThatComesWhileItFallsAsleep) {
  auto& [work, thread] = Make();
  ASSERT_TRUE(thread.Start().ok());
  // Each is set right after the one before, while the thread may be anywhere
  // between its last look and its sleep.
  for (int round = 1; round <= 200; ++round) {
    work.SetDeadline(0);
    thread.Wake();
    work.AwaitMaintained(round);
  }
}

}  // namespace
}  // namespace gasnet::ip
