// The cost of puts and gets to a rank on another host that computes without
// calling GASNet. The network's thread serves this rank (GASNET_UDP_PROGRESS,
// GASNET_OFI_PROGRESS). Each rank is bound to a core, so this thread shares the
// core with the computation.
#include <gasnet.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "bench/harness/operations.h"
#include "bench/ranks/ranks.h"

namespace gasnet::bench {
namespace {

constexpr double kAim = 50'000;  // ns

size_t FlagAndTransfer(size_t) { return 4096 + kLargestTransfer; }

// The number of measurements that rank 0 has ended, in rank 1's segment.
volatile uint64_t* Ended() {
  return reinterpret_cast<volatile uint64_t*>(DataOf(1));
}
unsigned char* Target() { return DataOf(1) + 4096; }

// Measures an operation on rank 1, which computes meanwhile.
template <class Operation>
double OnComputing(uint64_t rounds, Operation operation) {
  static uint64_t ended = 0;
  ++ended;
  Barrier();
  if (gasnet_mynode() != 0) {
    while (*Ended() != ended) {
    }
    Barrier();
    return 0;
  }
  const int64_t start = NowNanos();
  for (uint64_t i = 0; i < rounds; ++i) operation();
  const int64_t nanos = NowNanos() - start;
  gasnet_put_val(1, const_cast<uint64_t*>(Ended()), ended, sizeof ended);
  Barrier();
  return static_cast<double>(nanos) / static_cast<double>(rounds);
}

double Put(size_t nbytes, uint64_t rounds) {
  std::vector<unsigned char> source(nbytes);
  return OnComputing(
      rounds, [&] { gasnet_put_bulk(1, Target(), source.data(), nbytes); });
}

double Get(size_t nbytes, uint64_t rounds) {
  std::vector<unsigned char> got(nbytes);
  return OnComputing(rounds,
                     [&] { gasnet_get_bulk(got.data(), 1, Target(), nbytes); });
}

const Row kRows[] = {
    {.operation = kPutToComputing, .size = 8, .measure = Put, .aim = kAim},
    {.operation = kPutToComputing, .size = 65536, .measure = Put},
    {.operation = kGetFromComputing, .size = 8, .measure = Get, .aim = kAim},
    {.operation = kGetFromComputing, .size = 65536, .measure = Get},
};

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  const Options options = StartRanks(argc, argv, {}, 2, FlagAndTransfer);
  MeasureRows(kRows, options);
}
