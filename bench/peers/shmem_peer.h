// OpenSHMEM's transfers and barrier. Also makes the processes of an OpenSHMEM
// program a Team of the harness (run_rows.h).
#ifndef BENCH_PEERS_SHMEM_PEER_H_
#define BENCH_PEERS_SHMEM_PEER_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "bench/harness/row.h"

namespace gasnet::bench {

// Functions of type Measure (row.h), between processing elements (PEs) 0 and 1.
// A put is complete at the target when it returns, like a GASNet put.
double ShmemPutWord(size_t size, uint64_t rounds);
double ShmemGetWord(size_t size, uint64_t rounds);
double ShmemPut(size_t size, uint64_t rounds);
double ShmemGet(size_t size, uint64_t rounds);
double ShmemBarrier(size_t size, uint64_t rounds);

// Returns the row that measures an operation of OpenSHMEM.
Row ShmemRow(const char* operation, size_t size, Measure measure);

// Starts OpenSHMEM, reads the options and measures the rows. Ends the process.
[[noreturn]] void MeasureShmemRows(int argc, char** argv,
                                   std::span<const Row> rows);

}  // namespace gasnet::bench

#endif  // BENCH_PEERS_SHMEM_PEER_H_
