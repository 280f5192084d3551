// Serves the deadlines of a network while its process computes: acknowledges,
// retransmits lost messages, and so on. It receives nothing and runs no
// handler, unless it attends.
//
// A thread that attends also serves a descriptor while the client computes. It
// looks once a millisecond if the client's threads serve the descriptor. If
// they do not, this thread sleeps on it.
//
// This thread sleeps until there is a deadline. Wake announces a deadline, at
// the cost of a system call if the thread sleeps. From then on the thread looks
// once a millisecond, until there is no deadline any more.
//
// States: asleep -> Wake -> looking -> (no deadline) -> asleep; the destructor
// ends the thread in either state. Another thread that has work sets the
// deadline and then reads `awake_`. The progress thread clears `awake_` and
// then reads the deadline once more. Each of these threads runs the asymmetric
// fence between its two steps. So at least one of them sees the step of the
// other.
#ifndef CORE_IP_PROGRESS_THREAD_H_
#define CORE_IP_PROGRESS_THREAD_H_

#include <pthread.h>

#include <atomic>
#include <cstdint>

#include "absl/status/status.h"
#include "base/asymmetric_fence.h"
#include "base/unique_fd.h"

namespace gasnet::ip {

class ProgressThread {
 public:
  static constexpr int kServed = -1;
  static constexpr int kLookSoon = -2;

  // The work of the progress thread. All functions may be called at any time,
  // by any thread.
  struct Work {
    void* of;
    // Returns the deadline on the monotonic clock, or kNever.
    int64_t (*next_deadline)(void* of);
    // Called when the deadline has passed.
    void (*maintain)(void* of);
    // Attending; null if the thread does not attend. Returns the descriptor,
    // kServed if the client's threads serve the network, or kLookSoon if the
    // thread must call attend() again soon, because no descriptor tells when.
    // Called about once a millisecond, and before and after each call of
    // attend().
    int (*attended)(void* of) = nullptr;
    // Called when the descriptor is readable, or after kLookSoon, unless
    // attended() then returns kServed.
    void (*attend)(void* of) = nullptr;
  };
  // Returns the work that calls an endpoint's NextDeadline() and Maintain().
  // The endpoint must outlive the progress thread.
  template <class Endpoint>
  static Work WorkOf(Endpoint& endpoint) {
    return {&endpoint,
            [](void* of) { return static_cast<Endpoint*>(of)->NextDeadline(); },
            [](void* of) { static_cast<Endpoint*>(of)->Maintain(); }};
  }

  explicit ProgressThread(const Work& work) : work_(work) {}
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;
  // Waits for the thread to end, if it has started.
  ~ProgressThread();

  absl::Status Start();

  // Tells the thread that there may be a new deadline.
  void Wake() {
    AsymmetricFence::LightFence();
    if (!awake_.load(std::memory_order_relaxed)) [[unlikely]]
      Rouse();
  }

 private:
  static void* Run(void* self);
  int64_t NextDeadline() { return work_.next_deadline(work_.of); }
  bool Attends() const { return work_.attended != nullptr; }
  void Look();
  void Rouse();
  void Ring();
  void HearBell();
  bool Nap(int64_t deadline);
  void SleepUntilRoused();
  bool AwaitAndAttend(int64_t nanos);
  bool TryAttend();

  const Work work_;
  UniqueFd bell_;  // an eventfd
  pthread_t thread_{};
  bool has_started_ = false;
  int attended_ = kServed;  // result of attended(); used by the thread alone
  std::atomic<bool> awake_{false};
  std::atomic<bool> ends_{false};
};

}  // namespace gasnet::ip

#endif  // CORE_IP_PROGRESS_THREAD_H_
