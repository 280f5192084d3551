// A thread that takes the steps of collectives while the client computes
// (GASNET_COLL_PROGRESS=thread, GASNET_PAR alone).
//
// To all below it is one more thread of the client's, in a wait: it serves the
// network, runs handlers, and sleeps where a client would. While nothing is
// under way it sleeps on a word of its own.
//
//   asleep --Wake--> serving --nothing under way for a while--> asleep
//   any --AskToEnd--> ended, once `serve` returns
//
// A client thread that begins something makes that visible and then calls Wake;
// the progress thread takes the call back and then looks. So one of the two
// sees the other.
#ifndef COLL_PROGRESS_THREAD_H_
#define COLL_PROGRESS_THREAD_H_

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <functional>

namespace gasnet::coll {

// Whether GASNET_COLL_PROGRESS asks for the thread; fatal where it is neither
// "poll" nor, if there may be a thread, "thread".
bool WantsProgressThread(bool possible);

class ProgressThread {
 public:
  ProgressThread() = default;
  ~ProgressThread() { End(); }
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;

  // `serve` returns when nothing is under way, and soon once IsEnding is true.
  // Fatal where no thread can be had.
  void Start(std::function<void()> serve);

  // Has it end. A sleep inside of `serve` is the caller's to wake.
  void AskToEnd();
  // The same, and waits until it has.
  void End();
  bool IsEnding() const { return ends_.load(std::memory_order_acquire); }

  // By any thread, in handlers too. Without Start: nothing.
  void Wake() {
    if (serve_ != nullptr) Ring();
  }

 private:
  static void* Run(void* self);
  void Ring();

  // Set before there is anything to wake for.
  std::function<void()> serve_;
  pthread_t thread_{};
  std::atomic<uint32_t> rung_{0};
  std::atomic<bool> ends_{false};
  bool has_ended_ = false;
};

}  // namespace gasnet::coll

#endif  // COLL_PROGRESS_THREAD_H_
