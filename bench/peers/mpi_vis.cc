// MPI between two processes, each bound to a core: non-contiguous memory as
// derived datatypes, in one-sided puts and gets and in messages.
#include <mpi.h>

#include <vector>

#include "bench/harness/shapes.h"
#include "bench/peers/mpi_peer.h"
#include "bench/peers/mpi_pieces.h"
#include "bench/peers/mpi_rma.h"
#include "bench/peers/mpi_two_sided.h"

namespace gasnet::bench {
namespace {

template <const Shape& kShape>
void AddRows(std::vector<Row>& rows) {
  rows.push_back({kShape.put, kShape.nbytes(), MpiPut<kShape>, {}, 0, kMpiRma});
  rows.push_back(
      {kShape.put, kShape.nbytes(), MpiSend<kShape>, {}, 0, kMpiMessages});
  rows.push_back({kShape.get, kShape.nbytes(), MpiGet<kShape>, {}, 0, kMpiRma});
}

std::vector<Row> VisRows() {
  std::vector<Row> rows;
  AddRows<kRowsOf8>(rows);
  AddRows<kRowsOf64>(rows);
  AddRows<kRowsOf1024>(rows);
  AddRows<kFaceOfRows>(rows);
  AddRows<kFaceOfWords>(rows);
  AddRows<kTransposition>(rows);
  constexpr size_t kWordsBytes = kIndexedWords * 8;
  rows.push_back({kPutWords, kWordsBytes, MpiPutWords, {}, 0, kMpiRma});
  rows.push_back({kPutWords, kWordsBytes, MpiSendWords, {}, 0, kMpiMessages});
  rows.push_back({kGetWords, kWordsBytes, MpiGetWords, {}, 0, kMpiRma});
  return rows;
}

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  gasnet::bench::OpenMpiWindow();
  const int code =
      gasnet::bench::MeasureMpiRows(argc, argv, gasnet::bench::VisRows());
  gasnet::bench::CloseMpiWindow();
  MPI_Finalize();
  return code;
}
