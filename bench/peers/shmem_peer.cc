#include "bench/peers/shmem_peer.h"

#include <shmem.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "base/clock.h"
#include "bench/harness/run_rows.h"
#include "bench/limits/memory_loops.h"

namespace gasnet::bench {
namespace {

constexpr int kTarget = 1;

unsigned char* data;  // in symmetric memory
uint64_t* agreed;     // in symmetric memory

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

int Run(int argc, char** argv, std::span<const Row> rows) {
  Options options;
  const std::string complaint = ParseOptions(argc, argv, options);
  if (!complaint.empty()) {
    fprintf(stderr, "%s: %s\n", argv[0], complaint.c_str());
    return 2;
  }
  data = static_cast<unsigned char*>(shmem_malloc(kMaxCopy));
  agreed = static_cast<uint64_t*>(shmem_malloc(sizeof(*agreed)));
  ShmemTeam team;
  RunRows(rows, options, "", team);
  shmem_barrier_all();
  return 0;
}

}  // namespace

double ShmemPutWord(size_t, uint64_t rounds) {
  auto* const words = reinterpret_cast<uint64_t*>(data);
  return OnPeZero(rounds, [=](uint64_t i) {
    shmem_uint64_p(&words[i % kLoopWords], i, kTarget);
  });
}

double ShmemGetWord(size_t, uint64_t rounds) {
  auto* const words = reinterpret_cast<uint64_t*>(data);
  return OnPeZero(rounds, [=](uint64_t i) {
    Use(shmem_uint64_g(&words[i % kLoopWords], kTarget));
  });
}

double ShmemPut(size_t size, uint64_t rounds) {
  return OnPeZero(rounds, [=](uint64_t) {
    shmem_putmem(data, PrivateBuffer(), size, kTarget);
    shmem_quiet();
  });
}

double ShmemGet(size_t size, uint64_t rounds) {
  return OnPeZero(rounds, [=](uint64_t) {
    shmem_getmem(PrivateBuffer(), data, size, kTarget);
  });
}

double ShmemBarrier(size_t, uint64_t rounds) {
  shmem_barrier_all();
  const int64_t start = NowNanos();
  for (uint64_t i = 0; i < rounds; ++i) shmem_barrier_all();
  return static_cast<double>(NowNanos() - start) / static_cast<double>(rounds);
}

Row ShmemRow(const char* operation, size_t size, Measure measure) {
  return {operation, size, measure, {}, 0, "OpenSHMEM"};
}

void MeasureShmemRows(int argc, char** argv, std::span<const Row> rows) {
  shmem_init();
  const int code = Run(argc, argv, rows);
  // shmem_finalize() is not called: it crashes in Open MPI 4.1 with UCX 1.13.
  fflush(stdout);
  _exit(code);
}

}  // namespace gasnet::bench
