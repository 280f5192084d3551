#include "base/cpu.h"

#include <errno.h>
#include <sched.h>

#include <vector>

namespace gasnet {
namespace {

// The kernel refuses (EINVAL) a mask smaller than its own. The size of the
// kernel's mask is unknown, so the mask grows until the kernel accepts it.
constexpr size_t kLargestMask = 1 << 20;

std::vector<int> ReadMask(size_t cpus) {
  cpu_set_t* mask = CPU_ALLOC(cpus);
  const size_t bytes = CPU_ALLOC_SIZE(cpus);
  std::vector<int> allowed;
  if (sched_getaffinity(0, bytes, mask) == 0) {
    for (size_t cpu = 0; cpu < cpus; ++cpu) {
      if (CPU_ISSET_S(cpu, bytes, mask)) allowed.push_back(cpu);
    }
  }
  CPU_FREE(mask);
  return allowed;
}

// A CPU mask of the largest size. The mask lies on the stack because waiting
// threads use it, possibly while they are inside malloc.
class LargestMask {
 public:
  static constexpr size_t kBytes = CPU_ALLOC_SIZE(CpuSet::kMax);
  cpu_set_t* get() { return reinterpret_cast<cpu_set_t*>(bytes_); }

 private:
  alignas(cpu_set_t) unsigned char bytes_[kBytes] = {};
};

}  // namespace

std::vector<int> AllowedCpus() {
  for (size_t cpus = CPU_SETSIZE; cpus <= kLargestMask; cpus *= 4) {
    std::vector<int> allowed = ReadMask(cpus);
    if (!allowed.empty()) return allowed;
    if (errno != EINVAL) break;
  }
  return {0};
}

int LeaveCpus(const CpuSet& avoided) {
  const int saved_errno = errno;
  LargestMask allowed;
  LargestMask others;
  int went_to = -1;
  if (sched_getaffinity(0, LargestMask::kBytes, allowed.get()) == 0) {
    for (size_t cpu = 0; cpu < CpuSet::kMax; ++cpu) {
      if (CPU_ISSET_S(cpu, LargestMask::kBytes, allowed.get()) &&
          !avoided.Has(static_cast<int>(cpu))) {
        CPU_SET_S(cpu, LargestMask::kBytes, others.get());
      }
    }
    // If no CPU is left, the kernel refuses the empty mask.
    if (sched_setaffinity(0, LargestMask::kBytes, others.get()) == 0) {
      went_to = CurrentCpu();
      sched_setaffinity(0, LargestMask::kBytes, allowed.get());
    }
  }
  errno = saved_errno;
  return went_to;
}

unsigned OnlineCpus() { return AllowedCpus().size(); }

}  // namespace gasnet
