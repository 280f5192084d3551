// Makes the processes of an MPI program a Team of the harness (run_rows.h).
#ifndef BENCH_PEERS_MPI_PEER_H_
#define BENCH_PEERS_MPI_PEER_H_

#include <mpi.h>

#include <cstdint>
#include <span>

#include "bench/harness/row.h"
#include "bench/harness/run_rows.h"

// The name of the MPI library in the table. It is a macro because other string
// literals are appended to it.
#ifdef MPICH_VERSION
#define GASNET_BENCH_MPI "MPICH"
#else
#define GASNET_BENCH_MPI "Open MPI"
#endif

namespace gasnet::bench {

class MpiTeam : public Team {
 public:
  bool Leads() const override;
  uint64_t Agree(uint64_t value) override;
};

// Return this process's rank and the number of ranks.
int MpiRank();
int MpiSize();

// Reads the options and measures the rows. Called between MPI_Init and
// MPI_Finalize. Returns the program's exit code: 2 if the options are wrong.
int MeasureMpiRows(int argc, char** argv, std::span<const Row> rows);

}  // namespace gasnet::bench

#endif  // BENCH_PEERS_MPI_PEER_H_
