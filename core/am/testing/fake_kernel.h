// A fake of the system services that a wait uses, for tests to control. The
// clock advances only when it is read, and during yields.
#ifndef CORE_AM_TESTING_FAKE_KERNEL_H_
#define CORE_AM_TESTING_FAKE_KERNEL_H_

#include <cstdint>
#include <vector>

#include "base/cpu.h"
#include "core/am/processor.h"

namespace gasnet::am {

struct FakeKernel {
  static int64_t Now() {
    ++clock_readings;
    return now += now_step;
  }
  static void Yield() {
    ++yields;
    now += yield_takes;
    if (yield_takes > 0) ++preemptions;
  }
  static int Cpu() { return cpu; }
  static int64_t Preemptions() { return preemptions; }
  // Moves to the first processor of cpus_allowed that is not in `avoided`.
  static bool Leave(const CpuSet& avoided) {
    ++attempts_to_leave;
    for (const int other : cpus_allowed) {
      if (avoided.Has(other)) continue;
      cpu = other;
      return true;
    }
    return false;
  }
  static WaitHistory& MyWaitHistory() { return wait_history; }

  static void Reset() {
    // Like a real clock, this clock does not start at 0.
    now = 1'000'000'000;
    now_step = yield_takes = preemptions = 0;
    clock_readings = yields = attempts_to_leave = cpu = 0;
    cpus_allowed = {0, 1};
    wait_history = WaitHistory{};
  }

  static inline int64_t now;
  static inline int64_t now_step;     // the clock's advance for each reading
  static inline int64_t yield_takes;  // ns; 0 if no other thread runs
  static inline int64_t preemptions;
  static inline int clock_readings;
  static inline int yields;
  static inline int attempts_to_leave;
  static inline int cpu;
  static inline std::vector<int> cpus_allowed;
  static inline WaitHistory wait_history;
};

}  // namespace gasnet::am

#endif  // CORE_AM_TESTING_FAKE_KERNEL_H_
