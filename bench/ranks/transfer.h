// Puts, gets and memsets between rank 0 and the memory of rank 1, which waits
// in a barrier. Also barriers.
#ifndef BENCH_RANKS_TRANSFER_H_
#define BENCH_RANKS_TRANSFER_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::bench {

// Functions of type Measure (row.h). Return nanoseconds per operation.

// Transfers of 8 bytes, in a loop as a client would write it. The compiler
// knows the size.
double PutConstant(size_t size, uint64_t rounds);
double PutManyConstant(size_t size, uint64_t rounds);  // synced together
double GetConstant(size_t size, uint64_t rounds);

// Transfers of any size.
double Put(size_t size, uint64_t rounds);
double Get(size_t size, uint64_t rounds);
double Memset(size_t size, uint64_t rounds);

// Non-blocking transfers, one per round. They are synced in groups, which are
// larger for small sizes.
double PutMany(size_t size, uint64_t rounds);
double GetMany(size_t size, uint64_t rounds);

// A barrier of all ranks.
double OneBarrier(size_t size, uint64_t rounds);
// The wait of a barrier. Between notify and wait all ranks compute for 100 us.
double WaitAfterWork(size_t size, uint64_t rounds);

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_TRANSFER_H_
