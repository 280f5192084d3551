#include "core/thread/library_thread.h"

#include <atomic>
#include <cstdint>
#include <thread>

#include "base/clock.h"
#include "base/futex.h"
#include "gtest/gtest.h"

namespace gasnet::thread {
namespace {

constexpr LibraryThread::About kAbout = {"test", "TEST is 1"};

std::atomic<uint32_t> under_way{0};
std::atomic<uint32_t> served{0};

void Await(std::atomic<uint32_t>& word, uint32_t value) {
  for (;;) {
    const uint32_t seen = word.load();
    if (seen == value) return;
    FutexWait(word, seen);
  }
}

// Finishes all operations that were begun. Runs on the library's thread.
void Serve() {
  const uint32_t finished = under_way.exchange(0);
  if (finished == 0) return;
  served.fetch_add(finished);
  FutexWake(served, 1);
}

TEST(LibraryThread, ServesWhatIsBegunWhileItSleepsAndWhileItServes) {
  LibraryThread thread(kAbout);
  thread.Start(&Serve);
  constexpr uint32_t kOneByOne = 2000, kAtOnce = 100000;
  for (uint32_t i = 1; i <= kOneByOne; ++i) {
    under_way.fetch_add(1);
    thread.Wake();
    Await(served, i);
  }
  for (uint32_t i = 0; i < kAtOnce; ++i) {
    under_way.fetch_add(1);
    thread.Wake();
  }
  Await(served, kOneByOne + kAtOnce);
}

TEST(LibraryThread, EndsWhileItServesOrSleeps) {
  for (const bool serves : {false, true}) {
    std::atomic<uint32_t> begun{0};
    LibraryThread thread(kAbout);
    thread.Start([&] {
      begun.store(1);
      FutexWake(begun, 1);
      while (!thread.IsEnding()) std::this_thread::yield();
    });
    if (!serves) continue;
    thread.Wake();
    Await(begun, 1);
  }
}

TEST(LibraryThread, WakeWithoutAThreadDoesNothing) {
  LibraryThread none(kAbout);
  none.Wake();
}

TEST(LibraryThread, EndIsPatientAsAsked) {
  std::atomic<bool> may_end{false};
  LibraryThread thread(kAbout);
  thread.Start([&] {
    while (!may_end.load()) std::this_thread::yield();
  });
  thread.Wake();
  thread.End(/*patience=*/1);
  EXPECT_TRUE(thread.IsEnding());
  may_end.store(true);
  thread.End(/*patience=*/3600 * kNanosPerSecond);
  // Returns at once, since the thread has already been joined.
  thread.End();
}

TEST(LibraryThread, MayEndItself) {
  std::atomic<uint32_t> is_over{0};
  LibraryThread thread(kAbout);
  thread.Start([&] {
    thread.End(/*patience=*/3600 * kNanosPerSecond);
    is_over.store(1);
    FutexWake(is_over, 1);
  });
  thread.Wake();
  Await(is_over, 1);
}

}  // namespace
}  // namespace gasnet::thread
