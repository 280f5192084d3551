// The processor on which a waiting thread runs, and the other threads that
// compete for it.
//
// This code detects two conditions, only in threads that have waited for a
// while:
//
// - Busy: another thread that computes had the processor. A yield, or a few
//   looks, took longer than a short-lived thread needs, and the kernel
//   preempted this thread in that time. (Without a preemption, the caller
//   itself worked between two looks.) On a busy processor, a yield waits for
//   a whole time slice of the other thread, and the scheduler counts it
//   against this thread. A thread that sleeps runs as soon as it is woken.
// - Shared: another rank of this host was last seen on this processor. The
//   two ranks wait for each other there while other processors are idle, and
//   the kernel sees no reason to separate them. So this thread moves to
//   another allowed processor without a rank. Another program may use that
//   processor. The kernel may move the thread back at once.
#ifndef CORE_AM_PROCESSOR_H_
#define CORE_AM_PROCESSOR_H_

#include <algorithm>
#include <cstdint>

#include "base/cpu.h"
#include "core/am/cpu_board.h"
#include "core/am/tuning.h"

namespace gasnet::am {

// The memory of one thread about its waits. Times are in nanoseconds of the
// monotonic clock.
struct WaitHistory {
  int64_t last_look = 0;    // when the current wait last looked
  int64_t preemptions = 0;  // preemptions at the last gap between looks
  int64_t busy_until = 0;   // estimated end of the busy time
  int64_t next_ask = 0;
  int64_t last_move = 0;
  int64_t stay = kMinStay;
};

// The real kernel. Tests use a fake kernel.
struct ThisThread {
  static int64_t Now();
  static void Yield();
  static int Cpu() { return CurrentCpu(); }
  // Returns how often the kernel has preempted this thread.
  static int64_t Preemptions();
  static bool Leave(const CpuSet& cpus) { return LeaveCpus(cpus) >= 0; }
  static WaitHistory& MyWaitHistory();
};

template <class Kernel>
class Processor {
 public:
  explicit Processor(CpuBoard& ranks) : ranks_(ranks) {}

  // Records a look of the current wait and returns the time. Looks of one wait
  // follow each other closely. A gap between looks, with a preemption, means
  // that another thread ran here. Pass `first` if there is no earlier look.
  int64_t Look(bool first) {
    WaitHistory& wait_history = Kernel::MyWaitHistory();
    const int64_t now = Kernel::Now();
    if (!first && now - wait_history.last_look > kOthersCompute) {
      const int64_t preemptions = Kernel::Preemptions();
      if (preemptions != wait_history.preemptions) {
        wait_history.busy_until = now + kBusyMemory;
      }
      wait_history.preemptions = preemptions;
    }
    wait_history.last_look = now;
    return now;
  }
  static int64_t Now() { return Kernel::Now(); }
  bool IsBusy(int64_t now) const {
    return now < Kernel::MyWaitHistory().busy_until;
  }

  // Yields the processor. Returns after other threads have run.
  void Yield() { Kernel::Yield(); }

  // Moves to another processor if another rank is on this one. Returns true if
  // this thread has moved.
  bool Part(int64_t now) {
    WaitHistory& wait_history = Kernel::MyWaitHistory();
    if (now < wait_history.next_ask) return false;
    wait_history.next_ask = now + kAskInterval;
    const int here = Kernel::Cpu();
    ranks_.ReportHere(here);
    CpuSet taken;
    ranks_.ForEachOther([&](int cpu) { taken.Add(cpu); });
    if (!taken.Has(here)) return false;
    const bool moved = Kernel::Leave(taken);
    ReportHere();
    Settle(wait_history, Look(/*first=*/true));
    return moved;
  }

  void ReportHere() { ranks_.ReportHere(Kernel::Cpu()); }
  void ReportAsleep() { ranks_.ReportAsleep(); }

 private:
  static void Settle(WaitHistory& wait_history, int64_t now) {
    const bool again =
        now - wait_history.last_move < kSettled * wait_history.stay;
    wait_history.stay =
        again ? std::min(2 * wait_history.stay, kLongestStay) : kMinStay;
    wait_history.last_move = now;
    wait_history.next_ask = now + wait_history.stay;
  }

  CpuBoard& ranks_;
};

}  // namespace gasnet::am

#endif  // CORE_AM_PROCESSOR_H_
