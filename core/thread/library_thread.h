// A thread of the library that serves beside the client's threads. All its
// signals are blocked.
//
// To the layers below, it looks like another client thread: it may poll, run
// handlers, and sleep in a wait. While it has nothing to serve, it sleeps on
// its own futex word.
//
//     asleep --Wake--> serving --`serve` returns--> asleep
//     any --AskToEnd--> ended, once `serve` returns
//
// Another thread that has work for this thread makes the work visible and then
// calls Wake. This thread clears the wake-up and then looks for work. So either
// this thread sees the work, or it sees the new wake-up and looks again.
#ifndef CORE_THREAD_LIBRARY_THREAD_H_
#define CORE_THREAD_LIBRARY_THREAD_H_

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <functional>

#include "base/clock.h"

namespace gasnet::thread {

class LibraryThread {
 public:
  struct About {
    const char* name;  // name for debuggers, at most 15 characters
    // the user's setting that starts the thread, such as "NAME is 1"
    const char* setting;
  };

  explicit LibraryThread(const About& about) : about_(about) {}
  ~LibraryThread() { End(); }
  LibraryThread(const LibraryThread&) = delete;
  LibraryThread& operator=(const LibraryThread&) = delete;

  // Starts the thread, which calls `serve`. `serve` must return when there is
  // nothing to do, and soon once IsEnding() is true. Ends the process if the
  // thread cannot be created.
  void Start(std::function<void()> serve);

  // Asks the thread to end, and ends a Nap. The caller must end any other sleep
  // inside `serve`.
  void AskToEnd();
  // Asks the thread to end, and joins it if it ends within `patience`
  // nanoseconds (kNever: no limit). If the thread is not joined yet, a later
  // call tries again. If the thread itself calls End(), it does not wait. One
  // thread at a time may call End().
  void End(int64_t patience = kNever);
  bool HasStarted() const { return serve_ != nullptr; }
  bool IsEnding() const { return ends_.load(std::memory_order_acquire); }

  // Wakes the thread. Callable by any thread, also in handlers. Does nothing
  // without Start().
  void Wake() {
    if (serve_ != nullptr) Ring();
  }

  // Sleeps for `nanos` nanoseconds, or until AskToEnd() or Wake(). Must be
  // called inside `serve`.
  void Nap(int64_t nanos);

 private:
  static void* Run(void* self);
  bool IsGoneWithin(int64_t nanos);
  void Ring();

  const About about_;
  // Set before the first call to Wake().
  std::function<void()> serve_;
  pthread_t thread_{};
  std::atomic<uint32_t> rung_{0};
  std::atomic<bool> ends_{false};
  std::atomic<uint32_t> gone_{0};  // 1 once the thread has left its loop
  bool has_ended_ = false;
};

}  // namespace gasnet::thread

#endif  // CORE_THREAD_LIBRARY_THREAD_H_
