#include "bench/ranks/collectives.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/limits/collective_loops.h"
#include "bench/ranks/ranks.h"

namespace gasnet::bench {
namespace {

class Gasnet {
 public:
  explicit Gasnet(int modes)
      : flags_(modes | GASNET_COLL_LOCAL | GASNET_COLL_SRC_IN_SEGMENT |
               GASNET_COLL_DST_IN_SEGMENT) {}

  size_t rank() const { return gasnet_mynode(); }
  size_t ranks() const { return gasnet_nodes(); }
  double* source() const {
    return reinterpret_cast<double*>(DataOf(gasnet_mynode()));
  }
  // Returns an address whose offset in its page differs from the source's.
  double* result() const {
    return source() + (CollectiveAreaBytes(ranks()) + 4096 + 192) / 8;
  }
  void Barrier() const { bench::Barrier(); }

  void Run(Collective kind, size_t size) const {
    const size_t count = size / sizeof(double);
    constexpr auto kType = GASNET_ALL_DOUBLE;
    constexpr auto kSum = GASNET_ALL_SUM;
    switch (kind) {
      case Collective::kBroadcast:
        return gasnet_all_broadcast(result(), 0, source(), size, flags_);
      case Collective::kScatter:
        return gasnet_all_scatter(result(), 0, source(), size, flags_);
      case Collective::kGather:
        return gasnet_all_gather(0, result(), source(), size, flags_);
      case Collective::kGatherAll:
        return gasnet_all_gather_all(result(), source(), size, flags_);
      case Collective::kExchange:
        return gasnet_all_exchange(result(), source(), size, flags_);
      case Collective::kReduce:
        return gasnet_all_reduce(0, result(), source(), count, kType, kSum, 0,
                                 flags_);
      case Collective::kReduceAll:
        return gasnet_all_reduce_all(result(), source(), count, kType, kSum, 0,
                                     flags_);
      case Collective::kScan:
        return gasnet_all_prefix_reduce(result(), source(), count, kType, kSum,
                                        0, flags_);
    }
  }

 private:
  const int flags_;
};

[[noreturn]] void Die(const char* what) {
  perror(what);
  exit(1);
}

// Returns memory that all ranks map. The memory is an unnamed file of rank 0.
// The other ranks open the file through /proc.
void* SharedByAll(size_t bytes) {
  int64_t told[2] = {getpid(), -1};
  if (gasnet_mynode() == 0) {
    told[1] = memfd_create("collectives by hand", MFD_CLOEXEC);
    if (told[1] < 0 ||
        ftruncate(static_cast<int>(told[1]), static_cast<off_t>(bytes)) != 0) {
      Die("memfd_create");
    }
  }
  gasnet_all_broadcast(told, 0, told, sizeof(told),
                       kAllSync | GASNET_COLL_LOCAL);
  const std::string path =
      "/proc/" + std::to_string(told[0]) + "/fd/" + std::to_string(told[1]);
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) Die(path.c_str());
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) Die("mmap");
  close(file);
  Barrier();
  return memory;
}

size_t Processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof(set), &set);
  return static_cast<size_t>(CPU_COUNT(&set));
}

CollectiveLoops& Loops() {
  // The number of processors that this rank may use. It is 1 if ranks are
  // bound. Bound ranks do not yield.
  static const size_t processors = Processors();
  static const bool yields = processors > 1 && gasnet_nodes() > processors;
  static CollectiveLoops loops(
      SharedByAll(CollectiveLoops::Bytes(gasnet_nodes())), gasnet_mynode(),
      gasnet_nodes(), yields);
  return loops;
}

}  // namespace

Options StartForCollectives(int argc, char** argv) {
  const Options options = StartRanks(argc, argv, {}, 0, [](size_t ranks) {
    return 2 * (CollectiveAreaBytes(ranks) + 8192);
  });
  gasnet_coll_init(nullptr, 0, nullptr, 0, 0);
  return options;
}

double OurCollective(Collective kind, size_t size, bool sync, int modes,
                     uint64_t rounds) {
  Gasnet gasnet(modes);
  return CollectiveNanos(gasnet, kind, size, sync, rounds);
}

double CollectiveByHand(Collective kind, size_t size, bool sync,
                        uint64_t rounds) {
  CollectiveLoops& loops = Loops();
  const uint64_t half = rounds / 2 + 1;
  loops.set_push(false);
  const double pull = CollectiveNanos(loops, kind, size, sync, half);
  loops.set_push(true);
  return std::min(pull, CollectiveNanos(loops, kind, size, sync, half));
}

double BarrierNanos(size_t /*size*/, uint64_t rounds) {
  Barrier();
  const int64_t start = NowNanos();
  for (uint64_t i = 0; i < rounds; ++i) Barrier();
  return static_cast<double>(NowNanos() - start) / static_cast<double>(rounds);
}

}  // namespace gasnet::bench
