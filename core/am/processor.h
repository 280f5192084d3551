// The processor that a waiting thread is on, and other threads that compete for
// it.
//
// It detects two conditions, only in threads that have waited for a while:
//
// - Busy: another thread that computes had the processor. A yield, or a few
//   looks, took longer than a short-lived thread needs, and the kernel has
//   preempted this one meanwhile (otherwise the caller itself worked between
//   looks). A yield here waits for a whole time slice of that thread, and is
//   counted against us. A thread that sleeps instead runs as soon as it is
//   woken.
// - Shared: another rank of this host was last seen on this processor. The two
//   wait for each other there while other processors are idle, and the kernel
//   sees no reason to part them. So this thread moves to another allowed
//   processor without a rank, at worst one that another program uses. The
//   kernel may move it again at once.
#ifndef CORE_AM_PROCESSOR_H_
#define CORE_AM_PROCESSOR_H_

#include <algorithm>
#include <cstdint>

#include "base/cpu.h"
#include "core/am/tuning.h"
#include "core/am/whereabouts.h"

namespace gasnet::am {

// The record of one thread. Times in nanoseconds of the monotonic clock.
struct Habits {
  int64_t last_look = 0;    // of the current wait
  int64_t preemptions = 0;  // the count at the last gap
  int64_t busy_until = 0;   // as far as is known
  int64_t next_ask = 0;
  int64_t last_move = 0;
  int64_t stay = kLeastStay;
};

// The real kernel; tests have another.
struct ThisThread {
  static int64_t Now();
  static void Yield();
  static int Cpu() { return CurrentCpu(); }
  // Returns how often this thread was preempted.
  static int64_t Preemptions();
  static bool Leave(const CpuSet& cpus) { return LeaveCpus(cpus) >= 0; }
  static Habits& MyHabits();
};

template <class Kernel>
class Processor {
 public:
  explicit Processor(Whereabouts& ranks) : ranks_(ranks) {}

  // Returns the time. Looks of one wait follow each other closely, so a gap
  // means that another thread ran here. first: there is no earlier look.
  int64_t Look(bool first) {
    Habits& habits = Kernel::MyHabits();
    const int64_t now = Kernel::Now();
    if (!first && now - habits.last_look > kOthersCompute) {
      const int64_t preemptions = Kernel::Preemptions();
      if (preemptions != habits.preemptions) {
        habits.busy_until = now + kBusyMemory;
      }
      habits.preemptions = preemptions;
    }
    habits.last_look = now;
    return now;
  }
  static int64_t Now() { return Kernel::Now(); }
  bool IsBusy(int64_t now) const { return now < Kernel::MyHabits().busy_until; }

  // Yields the processor. Returns when other threads have run.
  void Yield() { Kernel::Yield(); }

  // Moves to another processor if another rank is on this one. Returns true if
  // this thread has moved.
  bool Part(int64_t now) {
    Habits& habits = Kernel::MyHabits();
    if (now < habits.next_ask) return false;
    habits.next_ask = now + kAskInterval;
    const int here = Kernel::Cpu();
    ranks_.ReportHere(here);
    CpuSet taken;
    ranks_.ForEachOther([&](int cpu) { taken.Add(cpu); });
    if (!taken.Has(here)) return false;
    const bool moved = Kernel::Leave(taken);
    ReportHere();
    Settle(habits, Look(/*first=*/true));
    return moved;
  }

  void ReportHere() { ranks_.ReportHere(Kernel::Cpu()); }
  void ReportAsleep() { ranks_.ReportAsleep(); }

 private:
  static void Settle(Habits& habits, int64_t now) {
    const bool again = now - habits.last_move < kSettled * habits.stay;
    habits.stay = again ? std::min(2 * habits.stay, kLongestStay) : kLeastStay;
    habits.last_move = now;
    habits.next_ask = now + habits.stay;
  }

  Whereabouts& ranks_;
};

}  // namespace gasnet::am

#endif  // CORE_AM_PROCESSOR_H_
