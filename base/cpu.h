// The processor: the pause hint for spin loops, the CPUs that this process may
// use, and the CPU that a thread is on.
#ifndef BASE_CPU_H_
#define BASE_CPU_H_

#include <sched.h>

#include <atomic>
#include <bitset>
#include <cstddef>
#include <vector>

namespace gasnet {

// Tells the processor that this thread spins. This saves power and leaves the
// pipeline to the sibling hardware thread. The hint is neither a fence nor a
// system call.
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

// Starts to fetch a cache line for writing. Does not wait and never faults. On
// most targets the compiler's builtin would request the line for reading only.
// All 64-bit processors execute this instruction, or ignore it.
inline void PrefetchForWrite(const void* line) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(line)));
#else
  __builtin_prefetch(line, 1);
#endif
}

// Returns the CPUs that the calling thread may run on (its affinity mask), in
// ascending order. The result is never empty: it is {0} if the mask cannot be
// read.
std::vector<int> AllowedCpus();

// Returns AllowedCpus().size(). If the launcher bound this rank to some CPUs,
// only these count.
unsigned OnlineCpus();

// Returns the CPU that the calling thread is on. The thread may move at any
// time. If the C library keeps the number in memory, the call is a plain load.
inline int CurrentCpu() { return sched_getcpu(); }

// A set of CPUs, within the numbers that Linux supports. Other numbers are
// ignored.
class CpuSet {
 public:
  static constexpr size_t kMax = 8192;

  void Add(int cpu) {
    if (cpu >= 0 && static_cast<size_t>(cpu) < kMax) cpus_.set(cpu);
  }
  bool Has(int cpu) const {
    return cpu >= 0 && static_cast<size_t>(cpu) < kMax && cpus_.test(cpu);
  }

 private:
  std::bitset<kMax> cpus_;
};

// Moves the calling thread to an allowed CPU that is not in `avoided`. The
// thread's affinity mask stays the same, so the kernel may move the thread
// again as soon as this returns. Returns the new CPU. If there is no such CPU,
// returns -1 and has no effect. Preserves errno.
int LeaveCpus(const CpuSet& avoided);

}  // namespace gasnet

#endif  // BASE_CPU_H_
