// A thread that takes the steps of collectives while the client computes
// (GASNET_COLL_PROGRESS=thread, GASNET_PAR alone).
//
// To the layers below it is one more client thread in a wait: it serves the
// network, runs handlers, and sleeps as a client thread would. While nothing is
// under way it sleeps on its own word.
//
//   asleep --Wake--> serving --nothing under way for a while--> asleep
//   any --AskToEnd--> ended, once `serve` returns
//
// A client thread that begins an operation makes it visible and then calls
// Wake. The progress thread clears the wake-up and then looks for operations.
// So one of the two sees the other.
#ifndef COLL_PROGRESS_THREAD_H_
#define COLL_PROGRESS_THREAD_H_

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <functional>

namespace gasnet::coll {

// Returns true if GASNET_COLL_PROGRESS asks for the thread. Any value except
// "poll" and, if `possible`, "thread" is fatal.
bool WantsProgressThread(bool possible);

class ProgressThread {
 public:
  ProgressThread() = default;
  ~ProgressThread() { End(); }
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;

  // `serve` returns when nothing is under way, and soon once IsEnding is true.
  // Fatal if the thread cannot be created.
  void Start(std::function<void()> serve);

  // Asks the thread to end. The caller must wake a sleep inside `serve`.
  void AskToEnd();
  // Asks the thread to end and waits until it has.
  void End();
  bool IsEnding() const { return ends_.load(std::memory_order_acquire); }

  // Wakes the thread. Any thread may call it, handlers too. Does nothing
  // without Start.
  void Wake() {
    if (serve_ != nullptr) Ring();
  }

 private:
  static void* Run(void* self);
  void Ring();

  // Set before the first Wake.
  std::function<void()> serve_;
  pthread_t thread_{};
  std::atomic<uint32_t> rung_{0};
  std::atomic<bool> ends_{false};
  bool has_ended_ = false;
};

}  // namespace gasnet::coll

#endif  // COLL_PROGRESS_THREAD_H_
