// The cost of accessing memory that another process shares: single words in a
// plain loop, and memcpy.
#ifndef BENCH_LIMITS_MEMORY_LOOPS_H_
#define BENCH_LIMITS_MEMORY_LOOPS_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::bench {

// The number of words that the loops cycle over, here and in the measurements
// of GASNet. The words stay in the first-level cache.
inline constexpr uint64_t kLoopWords = 512;

// The largest size of the copies below.
inline constexpr size_t kMaxCopy = size_t{4} << 20;

// Keeps the compiler from merging, or leaving out, the iterations of a loop.
inline void CompilerBarrier() { asm volatile("" ::: "memory"); }

// The cheapest full fence.
inline void Fence() {
#if defined(__x86_64__)
  asm volatile("lock orq $0, (%%rsp)" ::: "memory", "cc");
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

// Uses `value`, so that the compiler keeps its computation.
inline void Use(uint64_t value) { asm volatile("" : : "r"(value)); }

// Return nanoseconds per 8-byte store to, or load from, shared memory.
double StoreLoopNanos(uint64_t rounds);
double LoadLoopNanos(uint64_t rounds);

// Returns nanoseconds per 8-byte store to shared memory if a fence follows each
// store.
double FencedStoreLoopNanos(uint64_t rounds);

// Return nanoseconds per memcpy of `nbytes` into, or out of, shared memory.
double CopyInNanos(size_t nbytes, uint64_t rounds);
double CopyOutNanos(size_t nbytes, uint64_t rounds);

// Returns private memory of kMaxCopy bytes on a page boundary. The copies in
// this file and GASNet's transfers move data between this memory and shared
// memory.
void* PrivateBuffer();
// Returns the memory of PrivateBuffer without its first bytes. In some shapes
// all cache lines of the source, or of the target, fall into a few sets of the
// cache. If source and target began at the same offset in a page, they would
// compete for the same sets, and a copy would take 1.5 times as long.
void* PiecesBuffer();

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_MEMORY_LOOPS_H_
