// OpenSHMEM between two processes, each bound to a core.
#include <shmem.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "base/clock.h"
#include "bench/harness/operations.h"
#include "bench/harness/run_rows.h"
#include "bench/limits/memory_loops.h"

namespace gasnet::bench {
namespace {

constexpr char kShmem[] = "OpenSHMEM";
constexpr int kTarget = 1;

unsigned char* data;  // symmetric
uint64_t* agreed;     // symmetric

class ShmemTeam : public Team {
 public:
  bool Leads() const override { return shmem_my_pe() == 0; }

  uint64_t Agree(uint64_t value) override {
    if (Leads()) {
      for (int pe = 0; pe < shmem_n_pes(); ++pe) {
        shmem_uint64_p(agreed, value, pe);
      }
    }
    shmem_barrier_all();
    const uint64_t result = *agreed;
    shmem_barrier_all();
    return result;
  }
};

template <class Operation>
double OnPeZero(uint64_t rounds, Operation operation) {
  shmem_barrier_all();
  const int64_t start = NowNanos();
  for (uint64_t i = 0; shmem_my_pe() == 0 && i < rounds; ++i) operation(i);
  const int64_t nanos = NowNanos() - start;
  shmem_barrier_all();
  return static_cast<double>(nanos) / static_cast<double>(rounds);
}

double PutWord(size_t, uint64_t rounds) {
  auto* const words = reinterpret_cast<uint64_t*>(data);
  return OnPeZero(rounds, [=](uint64_t i) {
    shmem_uint64_p(&words[i % kLoopWords], i, kTarget);
  });
}

double GetWord(size_t, uint64_t rounds) {
  auto* const words = reinterpret_cast<uint64_t*>(data);
  return OnPeZero(rounds, [=](uint64_t i) {
    Use(shmem_uint64_g(&words[i % kLoopWords], kTarget));
  });
}

// Complete at the target, as our put is when it returns.
double Put(size_t size, uint64_t rounds) {
  return OnPeZero(rounds, [=](uint64_t) {
    shmem_putmem(data, PrivateBuffer(), size, kTarget);
    shmem_quiet();
  });
}

double Get(size_t size, uint64_t rounds) {
  return OnPeZero(rounds, [=](uint64_t) {
    shmem_getmem(PrivateBuffer(), data, size, kTarget);
  });
}

double OneBarrier(size_t, uint64_t rounds) {
  shmem_barrier_all();
  const int64_t start = NowNanos();
  for (uint64_t i = 0; i < rounds; ++i) shmem_barrier_all();
  return static_cast<double>(NowNanos() - start) / static_cast<double>(rounds);
}

Row Peer(const char* operation, size_t size, Measure measure) {
  return {operation, size, measure, {}, 0, kShmem};
}

std::vector<Row> Rows() {
  std::vector<Row> rows = {
      Peer(kPutConstant, 8, PutWord),
      Peer(kGetConstant, 8, GetWord),
      Peer(kBarrierOfTwo, 0, OneBarrier),
  };
  for (const size_t size : SweepSizes(kLargestTransfer)) {
    rows.push_back(Peer(kPut, size, Put));
    rows.push_back(Peer(kGet, size, Get));
  }
  return rows;
}

int Run(int argc, char** argv) {
  Options options;
  const std::string complaint = ParseOptions(argc, argv, options);
  if (!complaint.empty()) {
    fprintf(stderr, "%s: %s\n", argv[0], complaint.c_str());
    return 2;
  }
  data = static_cast<unsigned char*>(shmem_malloc(kMaxCopy));
  agreed = static_cast<uint64_t*>(shmem_malloc(sizeof(*agreed)));
  ShmemTeam team;
  RunRows(Rows(), options, "", team);
  shmem_barrier_all();
  return 0;
}

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  shmem_init();
  const int code = gasnet::bench::Run(argc, argv);
  // Not shmem_finalize(): Open MPI 4.1 with UCX 1.13 crashes in there.
  fflush(stdout);
  _exit(code);
}
