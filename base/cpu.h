// The processor: the pause hint for spin loops, which CPUs we may use, and
// which one we are on.
#ifndef BASE_CPU_H_
#define BASE_CPU_H_

#include <sched.h>

#include <atomic>
#include <bitset>
#include <cstddef>
#include <vector>

namespace gasnet {

// Tells the core that we spin: saves power and leaves the pipeline to the
// sibling hardware thread. Neither a fence nor a system call.
inline void CpuRelax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#elif defined(__powerpc64__)
  asm volatile("or 27,27,27" ::: "memory");
#else
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

// Starts to bring a cache line here for writing. Does not wait and never
// faults. The compiler's own builtin asks to read instead, unless it is told to
// compile for a processor that can do better; all with 64 bits can, or ignore
// this.
inline void PrefetchForWrite(const void* line) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(line)));
#else
  __builtin_prefetch(line, 1);
#endif
}

// The CPUs the calling thread may run on (its affinity mask), ascending.
// Never empty: where the mask cannot be read, {0}.
std::vector<int> AllowedCpus();

// AllowedCpus().size(). A rank that the launcher bound sees only its own CPUs
// here, not those of its neighbours.
unsigned OnlineCpus();

// The CPU that the calling thread is on, which may be another one a moment
// later. A load where the C library knows it.
inline int CurrentCpu() { return sched_getcpu(); }

// CPUs, of as many as Linux supports. Others are never in it.
class CpuSet {
 public:
  static constexpr size_t kMost = 8192;

  void Add(int cpu) {
    if (cpu >= 0 && static_cast<size_t>(cpu) < kMost) cpus_.set(cpu);
  }
  bool Has(int cpu) const {
    return cpu >= 0 && static_cast<size_t>(cpu) < kMost && cpus_.test(cpu);
  }

 private:
  std::bitset<kMost> cpus_;
};

// Moves the calling thread to a CPU that is not in `avoided`, of those it may
// run on, which stay the same: it may be moved again as soon as this returns.
// The CPU it went to, or -1, and nothing has happened, where there is none.
// Leaves errno alone.
int LeaveCpus(const CpuSet& avoided);

}  // namespace gasnet

#endif  // BASE_CPU_H_
