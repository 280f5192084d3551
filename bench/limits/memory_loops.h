// The cost of reaching memory that another process shares: single words in a
// plain loop, and memcpy.
#ifndef BENCH_LIMITS_MEMORY_LOOPS_H_
#define BENCH_LIMITS_MEMORY_LOOPS_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::bench {

// Words the loops go round over, in ours as well: they stay in the first cache.
inline constexpr uint64_t kLoopWords = 512;

// The most that the copies below are measured with.
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

// Makes `value` needed, so that what computes it is not left out.
inline void Use(uint64_t value) { asm volatile("" : : "r"(value)); }

// Nanoseconds for each 8-byte store to, or load from, shared memory.
double StoreLoopNanos(uint64_t rounds);
double LoadLoopNanos(uint64_t rounds);

// The same for stores each of which a fence makes visible.
double FencedStoreLoopNanos(uint64_t rounds);

// Nanoseconds for each memcpy of `nbytes` into, or out of, shared memory.
double CopyInNanos(size_t nbytes, uint64_t rounds);
double CopyOutNanos(size_t nbytes, uint64_t rounds);

// Private memory of kMaxCopy bytes on a page boundary: the other side of the
// copies, and of ours.
void* PrivateBuffer();
// The same but for its first bytes. In some shapes all lines of a side are in a
// few sets of the cache: where both sides begin at the same place of a page,
// they are the same few, and a copy takes half as long again.
void* PiecesBuffer();

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_MEMORY_LOOPS_H_
