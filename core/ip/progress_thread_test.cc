// Tests of the progress thread: it serves deadlines, and sleeps when there is
// no deadline. Tests wait for its actions.
#include "core/ip/progress_thread.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "base/clock.h"

namespace gasnet::ip {
namespace {

// Work that runs when the deadline has passed, and then sets another deadline.
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

struct Fixture {
  Work work;
  ProgressThread thread{ProgressThread::WorkOf(work)};
};

TEST(ProgressThreadTest, DoesWhatIsDueEachTimeItIsWoken) {
  Fixture made;
  auto& [work, thread] = made;
  ASSERT_TRUE(thread.Start().ok());
  for (int round = 1; round <= 20; ++round) {
    work.SetDeadline(NowNanos());
    thread.Wake();
    work.AwaitMaintained(round);
  }
  EXPECT_EQ(work.maintained(), 20);
}

TEST(ProgressThreadTest, GoesOnWhileThereAreDeadlines) {
  Fixture made;
  auto& [work, thread] = made;
  ASSERT_TRUE(thread.Start().ok());
  work.SetNext(0);
  work.SetDeadline(0);
  thread.Wake();
  work.AwaitMaintained(5);
  work.SetNext(kNever);
}

TEST(ProgressThreadTest, DoesNothingBeforeItIsDue) {
  Fixture made;
  auto& [work, thread] = made;
  ASSERT_TRUE(thread.Start().ok());
  work.SetDeadline(kNever - 1);
  thread.Wake();
  work.AwaitLooks(5);
  EXPECT_EQ(work.maintained(), 0);
  work.SetDeadline(NowNanos());
  work.AwaitMaintained(1);
}

TEST(ProgressThreadTest, FindsADeadlineThatComesWhileItFallsAsleep) {
  Fixture made;
  auto& [work, thread] = made;
  ASSERT_TRUE(thread.Start().ok());
  // Each deadline is set right after the previous one, while the thread may be
  // anywhere between its last look and its sleep.
  for (int round = 1; round <= 200; ++round) {
    work.SetDeadline(0);
    thread.Wake();
    work.AwaitMaintained(round);
  }
}

// A descriptor that the client's threads serve or not, as a test says.
struct Attended {
  Attended() { EXPECT_EQ(pipe2(ends, O_NONBLOCK), 0); }
  ~Attended() {
    for (const int end : ends) close(end);
  }
  ProgressThread::Work Work() {
    return {.of = this,
            .next_deadline = [](void*) { return kNever; },
            .maintain = [](void*) {},
            .attended =
                [](void* of) {
                  auto& mine = *static_cast<Attended*>(of);
                  ++mine.asked;
                  return mine.answer == 0 ? mine.ends[0] : mine.answer.load();
                },
            .attend =
                [](void* of) {
                  auto& mine = *static_cast<Attended*>(of);
                  char byte;
                  mine.bytes +=
                      static_cast<int>(read(mine.ends[0], &byte, 1)) == 1;
                  ++mine.attendances;
                }};
  }
  void Arrive() { EXPECT_EQ(write(ends[1], "x", 1), 1); }
  static void Await(const std::atomic<int>& count, int reached) {
    while (count < reached) sched_yield();
  }

  int ends[2];
  std::atomic<int> answer{0};  // 0: the descriptor
  std::atomic<int> asked{0};
  std::atomic<int> attendances{0};
  std::atomic<int> bytes{0};
};

TEST(ProgressThreadTest, AttendsToADescriptorThatTheClientDoesNotServe) {
  Attended attended;
  ProgressThread thread(attended.Work());
  ASSERT_TRUE(thread.Start().ok());
  for (int round = 1; round <= 20; ++round) {
    attended.Arrive();
    Attended::Await(attended.bytes, round);
  }
}

TEST(ProgressThreadTest, StandsBackWhileTheClientServesTheDescriptor) {
  Attended attended;
  attended.answer = ProgressThread::kServed;
  ProgressThread thread(attended.Work());
  ASSERT_TRUE(thread.Start().ok());
  attended.Arrive();
  Attended::Await(attended.asked, 5);
  EXPECT_EQ(attended.attendances, 0);
  attended.answer = 0;
  Attended::Await(attended.bytes, 1);
}

TEST(ProgressThreadTest, LooksAgainIfNoDescriptorTells) {
  Attended attended;
  attended.answer = ProgressThread::kLookSoon;
  ProgressThread thread(attended.Work());
  ASSERT_TRUE(thread.Start().ok());
  Attended::Await(attended.attendances, 5);
}

TEST(ProgressThreadTest, EndsWhateverItDoes) {
  { Fixture never_started; }
  for (const int64_t deadline : {kNever, kNever - 1, int64_t{0}}) {
    Fixture made;
    auto& [work, thread] = made;
    ASSERT_TRUE(thread.Start().ok());
    work.SetNext(0);
    work.SetDeadline(deadline);
    if (deadline == kNever) continue;  // the thread is asleep
    thread.Wake();
    work.AwaitLooks(2);
  }
}

}  // namespace
}  // namespace gasnet::ip
