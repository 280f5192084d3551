// Progress functions take steps while a client waits or polls, besides
// messages: split-phase barriers, collectives, the timers of a network.
//
// Handlers only note what has come, since they may not send requests. The steps
// that follow from it are taken here, by main-line code: after each poll of any
// wait, and in the client's own polls. The polls that come with a request take
// none, and neither does a request handler that waits to send its reply.
//
// A function is added once and from then on idle or active; the idle ones cost
// one load together. Several threads may run a function at once, and it may
// send requests, which serve the network while there is no room, and wait. A
// thread that is inside one runs the others meanwhile, so that what one waits
// for may hang on another; it holds no lock that they take. The condition of a
// wait finds what a function completes: it looks after every run and before it
// sleeps.
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

  // An idle one. While nobody runs any: before the job is attached.
  Id Add(Function function, void* context) {
    if (count_ == kMost) {
      Fatal("internal error: more than %zu progress functions", kMost);
    }
    functions_[count_] = {function, context};
    return count_++;
  }

  // By threads that the caller orders, but not within the function, which
  // others may be running still.
  void Activate(Id id) {
    thread::FetchOr(active_, 1u << id, std::memory_order_relaxed);
  }
  void Deactivate(Id id) {
    thread::FetchAnd(active_, ~(1u << id), std::memory_order_relaxed);
  }

  // All that are active.
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
  static constexpr size_t kMost = 8;

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

  // Relaxed: what a function works on has synchronisation of its own.
  std::atomic<uint32_t> active_{0};
  Id count_ = 0;
  std::array<Entry, kMost> functions_{};
};

}  // namespace gasnet::am

#endif  // CORE_AM_PROGRESS_H_
