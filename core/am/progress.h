// Progress functions advance other work while a client waits or polls:
// split-phase barriers, collectives, and the timers of a network.
//
// Handlers may not send requests, so they only record events. Main-line code
// takes the resulting steps here, after each poll of any wait and in the
// client's own polls. A poll that comes with a request takes no steps. A
// request handler that waits to send its reply takes none either.
//
// A function is added once, and is then idle or active. All idle functions
// together cost one load. Several threads may run one function at once. A
// function may send requests, which serve the network while there is no room,
// and it may wait. A thread that waits inside one function runs the other
// functions, because the wait may depend on them. So a function that waits must
// hold no lock that other functions take. A wait evaluates its condition after
// every run and before it sleeps. So it notices what a function completes.
#ifndef CORE_AM_PROGRESS_H_
#define CORE_AM_PROGRESS_H_

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/log.h"
#include "core/thread/thread_state.h"
#include "core/thread/word.h"

namespace gasnet::am {

class Progress {
 public:
  using Function = void (*)(void* context);
  using Id = unsigned;

  // Adds an idle function. Must be called before the job is attached, while no
  // thread runs any function.
  Id Add(Function function, void* context) {
    if (count_ == kMax) {
      Fatal("internal error: more than %zu progress functions", kMax);
    }
    functions_[count_] = {function, context};
    return count_++;
  }

  // Activate() activates a function. Deactivate() makes it idle. Callers order
  // these calls among themselves. The calls are not ordered with runs of the
  // function: other threads may still be inside it.
  void Activate(Id id) {
    thread::FetchOr(active_, 1u << id, std::memory_order_relaxed);
  }
  void Deactivate(Id id) {
    thread::FetchAnd(active_, ~(1u << id), std::memory_order_relaxed);
  }

  // Runs all active functions, except those that this thread is inside of.
  void Run() {
    const uint32_t active = active_.load(std::memory_order_relaxed);
    if (active != 0) [[unlikely]]
      RunThese(active);
  }

 private:
  struct Entry {
    Function function;
    void* context;
  };
  static constexpr size_t kMax = 8;

  [[gnu::noinline]] void RunThese(uint32_t active) {
    uint32_t& inside = thread::Self().in_progress;
    active &= ~inside;
    for (; active != 0; active &= active - 1) {
      const int id = std::countr_zero(active);
      inside |= 1u << id;
      functions_[id].function(functions_[id].context);
      inside &= ~(1u << id);
    }
  }

  // Accessed in relaxed order: functions synchronise their own data.
  std::atomic<uint32_t> active_{0};
  Id count_ = 0;
  std::array<Entry, kMax> functions_{};
};

}  // namespace gasnet::am

#endif  // CORE_AM_PROGRESS_H_
