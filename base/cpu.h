// The processor: the pause hint for spin loops, and how many CPUs we may use.
#ifndef GASNET_BASE_CPU_H_
#define GASNET_BASE_CPU_H_

#include <atomic>
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

}  // namespace gasnet

#endif  // GASNET_BASE_CPU_H_
