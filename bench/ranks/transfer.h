// Puts, gets and memsets between rank 0 and the memory of rank 1, which
// meanwhile waits in a barrier; and barriers themselves.
#ifndef BENCH_RANKS_TRANSFER_H_
#define BENCH_RANKS_TRANSFER_H_

#include <cstddef>
#include <cstdint>

namespace gasnet::bench {

// Measures (see row.h). Nanoseconds for each.

// 8 bytes, a size that the compiler knows; as a client would write the loop.
double PutConstant(size_t size, uint64_t rounds);
double PutManyConstant(size_t size, uint64_t rounds);  // synced together
double GetConstant(size_t size, uint64_t rounds);

// Any size.
double Put(size_t size, uint64_t rounds);
double Get(size_t size, uint64_t rounds);
double Memset(size_t size, uint64_t rounds);

// Non-blocking ones, many at a time: of a small size as many as there are
// rounds, of a large one eight, synced together.
double PutMany(size_t size, uint64_t rounds);
double GetMany(size_t size, uint64_t rounds);

// A barrier of all ranks.
double OneBarrier(size_t size, uint64_t rounds);
// A barrier's wait, when all have computed for 100 us since its notify.
double WaitAfterWork(size_t size, uint64_t rounds);

}  // namespace gasnet::bench

#endif  // BENCH_RANKS_TRANSFER_H_
