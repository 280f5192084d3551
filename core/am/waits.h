// The wait settings of a rank's threads: the mode that the client has chosen,
// and the board that publishes long waits. All threads share them. Each wait
// has its own state (wait.h).
#ifndef CORE_AM_WAITS_H_
#define CORE_AM_WAITS_H_

#include <atomic>
#include <type_traits>

#include "base/cpu.h"
#include "core/am/cpu_board.h"
#include "core/am/processor.h"
#include "core/am/tuning.h"
#include "core/am/wait.h"
#include "core/am/wait_reason.h"
#include "core/observe/status_board.h"

namespace gasnet::am {

// `Kernel` provides the system's services to a wait (processor.h).
template <class Kernel>
class Waits {
 public:
  // Sets the mode. `oversubscribed` is true if this host runs more ranks than
  // it has processors for.
  void SetMode(WaitMode mode, bool oversubscribed) {
    plan_.store({mode, oversubscribed}, std::memory_order_relaxed);
  }
  // Sets the board on which long waits are published from now on.
  void SetStatusBoard(observe::StatusBoard& status) { status_ = &status; }
  // Copies the settings of another instance.
  void TakeFrom(const Waits& other) {
    plan_.store(other.plan(), std::memory_order_relaxed);
    status_ = other.status_;
  }

  bool IsCrowded() const { return plan().crowded; }
  // Returns true if waits spin first. They do not spin if the client chose to
  // block. They also do not spin if the host has fewer processors than ranks: a
  // spin would keep another rank from its processor.
  bool Spins() const {
    return !plan().crowded && plan().mode != WaitMode::kBlock;
  }
  // Returns true if waits yield the processor at first, since the awaited ranks
  // may need it.
  bool Yields() const {
    return plan().crowded && plan().mode == WaitMode::kSpinBlock;
  }
  // Does step number `looks` of a short wait: yields or pauses. The caller runs
  // the loop itself.
  static void YieldOrRelax(unsigned looks) {
    if (looks % kLooksPerYield == 0) {
      Kernel::Yield();
    } else {
      CpuRelax();
    }
  }

  // Does one idle step of a wait. describe() returns the reason for the wait
  // (wait_reason.h).
  template <class Link, class Describe>
  void Idle(Wait& wait, Link& link, CpuBoard& cpu_board, Describe describe,
            EndedBy ended_by) {
    if (wait.IsToTell()) [[unlikely]]
      Tell(wait, describe);
    Processor<Kernel> processor(cpu_board);
    wait.Idle(link, plan(), processor, ended_by);
  }
  template <class Link>
  void End(Wait& wait, Link& link) {
    wait.Progress(link);
    if (wait.IsTold()) [[unlikely]] {
      status_->EndWait();
      wait = Wait();
    }
  }

 private:
  WaitPlan plan() const { return plan_.load(std::memory_order_relaxed); }

  template <class Describe>
  [[gnu::noinline]] void Tell(Wait& wait, Describe describe) {
    if constexpr (!std::is_same_v<Describe, NotTold>) {
      if (status_ == nullptr) return;
      wait.SetTold();
      status_->BeginWait(describe());
    }
  }

  observe::StatusBoard* status_ = nullptr;
  std::atomic<WaitPlan> plan_{};
  static_assert(std::atomic<WaitPlan>::is_always_lock_free);
};

}  // namespace gasnet::am

#endif  // CORE_AM_WAITS_H_
