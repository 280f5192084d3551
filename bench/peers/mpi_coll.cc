// MPI's collectives, in the same order as GASNet's in bench/ranks/coll.cc.
#include <mpi.h>

#include <vector>

#include "bench/harness/collectives.h"
#include "bench/peers/mpi_peer.h"

namespace gasnet::bench {
namespace {

class Mpi {
 public:
  size_t rank() const { return static_cast<size_t>(MpiRank()); }
  size_t ranks() const { return static_cast<size_t>(MpiSize()); }
  double* source() { return source_.data(); }
  double* result() { return result_.data() + 24; }
  void Barrier() { MPI_Barrier(MPI_COMM_WORLD); }

  void Run(Collective kind, size_t size) {
    const int bytes = static_cast<int>(size);
    const int count = bytes / static_cast<int>(sizeof(double));
    const MPI_Comm all = MPI_COMM_WORLD;
    switch (kind) {
      case Collective::kBroadcast:
        // MPI_Bcast has one buffer, so the root's source is also its result.
        MPI_Bcast(rank() == 0 ? source() : result(), bytes, MPI_BYTE, 0, all);
        return;
      case Collective::kScatter:
        MPI_Scatter(source(), bytes, MPI_BYTE, result(), bytes, MPI_BYTE, 0,
                    all);
        return;
      case Collective::kGather:
        MPI_Gather(source(), bytes, MPI_BYTE, result(), bytes, MPI_BYTE, 0,
                   all);
        return;
      case Collective::kGatherAll:
        MPI_Allgather(source(), bytes, MPI_BYTE, result(), bytes, MPI_BYTE,
                      all);
        return;
      case Collective::kExchange:
        MPI_Alltoall(source(), bytes, MPI_BYTE, result(), bytes, MPI_BYTE, all);
        return;
      case Collective::kReduce:
        MPI_Reduce(source(), result(), count, MPI_DOUBLE, MPI_SUM, 0, all);
        return;
      case Collective::kReduceAll:
        MPI_Allreduce(source(), result(), count, MPI_DOUBLE, MPI_SUM, all);
        return;
      case Collective::kScan:
        MPI_Scan(source(), result(), count, MPI_DOUBLE, MPI_SUM, all);
        return;
    }
  }

 private:
  const size_t words_ = CollectiveAreaBytes(ranks()) / sizeof(double) + 64;
  std::vector<double> source_ = std::vector<double>(words_);
  std::vector<double> result_ = std::vector<double>(words_);
};

template <Collective kKind, bool kSync>
double Nanos(size_t size, uint64_t rounds) {
  static Mpi mpi;
  return CollectiveNanos(mpi, kKind, size, kSync, rounds);
}

constexpr char kName[] = GASNET_BENCH_MPI;

template <Collective kKind>
void AddRows(std::vector<Row>& rows) {
  const CollectiveNames& names = kCollectiveNames[static_cast<size_t>(kKind)];
  for (const size_t size : kCollectiveSizes) {
    if (!IsMeasured(kKind, size, static_cast<size_t>(MpiSize()))) continue;
    rows.push_back({names.loop, size, Nanos<kKind, false>, {}, 0, kName});
    rows.push_back({names.sync, size, Nanos<kKind, true>, {}, 0, kName});
  }
}

std::vector<Row> CollectiveRows() {
  std::vector<Row> rows;
  ForEachCollective([&]<Collective kKind>() { AddRows<kKind>(rows); });
  return rows;
}

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = gasnet::bench::MeasureMpiRows(
      argc, argv, gasnet::bench::CollectiveRows());
  MPI_Finalize();
  return code;
}
