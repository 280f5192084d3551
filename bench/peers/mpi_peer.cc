#include "bench/peers/mpi_peer.h"

#include <mpi.h>

#include <cstdio>
#include <string>

namespace gasnet::bench {

bool MpiTeam::Leads() const { return MpiRank() == 0; }

uint64_t MpiTeam::Agree(uint64_t value) {
  MPI_Bcast(&value, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return value;
}

int MpiRank() {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int MpiSize() {
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

int MeasureMpiRows(int argc, char** argv, std::span<const Row> rows) {
  Options options;
  const std::string complaint = ParseOptions(argc, argv, options);
  if (!complaint.empty()) {
    if (MpiRank() == 0) fprintf(stderr, "%s: %s\n", argv[0], complaint.c_str());
    return 2;
  }
  MpiTeam team;
  RunRows(rows, options, "", team);
  return 0;
}

}  // namespace gasnet::bench
