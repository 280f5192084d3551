#include "base/cpu.h"

#include <errno.h>
#include <sched.h>

#include <vector>

namespace gasnet {
namespace {

// The kernel refuses (EINVAL) a mask smaller than its own, whose size it does
// not tell: grow until it is satisfied.
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

}  // namespace

std::vector<int> AllowedCpus() {
  for (size_t cpus = CPU_SETSIZE; cpus <= kLargestMask; cpus *= 4) {
    std::vector<int> allowed = ReadMask(cpus);
    if (!allowed.empty()) return allowed;
    if (errno != EINVAL) break;
  }
  return {0};
}

unsigned OnlineCpus() { return AllowedCpus().size(); }

}  // namespace gasnet
