// Puts, gets and memsets by rank 0 in the memory of rank 1. Rank 1 waits in a
// barrier. Also barriers.
#ifndef BENCH_RANKS_TRANSFER_H_
#define BENCH_RANKS_TRANSFER_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::bench {

// Functions of type Measure (row.h). Return nanoseconds per operation.

// Measure transfers of 8 bytes in a plain loop. The compiler knows the size.
double PutConstant(size_t size, uint64_t rounds);
double PutManyConstant(size_t size, uint64_t rounds);  // synced together
double GetConstant(size_t size, uint64_t rounds);

// Measure transfers of any size.
double Put(size_t size, uint64_t rounds);
double Get(size_t size, uint64_t rounds);
double Memset(size_t size, uint64_t rounds);

// Measure non-blocking transfers, one per round. They are synced in groups of
// 256 (up to 64 bytes) or 8.
double PutMany(size_t size, uint64_t rounds);
double GetMany(size_t size, uint64_t rounds);

// Measures a barrier of all ranks.
double OneBarrier(size_t size, uint64_t rounds);
// Measures only the wait of a barrier. Between notify and wait all ranks
// compute for 100 us.
double WaitAfterWork(size_t size, uint64_t rounds);

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_TRANSFER_H_
