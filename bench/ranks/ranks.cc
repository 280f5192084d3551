#include "bench/ranks/ranks.h"

#include <sched.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace gasnet::bench {
namespace {

// The beginning of every segment. A rank's data follows this object.
struct Control {
  uint64_t agreed;
  int64_t processor;
};

constexpr size_t kDataOffset = 4096;
static_assert(sizeof(Control) <= kDataOffset);

std::vector<gasnet_seginfo_t> segments;

Control* ControlOf(gasnet_node_t rank) {
  return static_cast<Control*>(segments[rank].addr);
}

[[noreturn]] void Refuse(const char* program, const std::string& complaint) {
  if (gasnet_mynode() == 0) {
    fprintf(stderr, "%s: %s\n", program, complaint.c_str());
  }
  gasnet_exit(2);
}

void Attach(const char* program, HandlerTable& handlers, size_t data) {
  const size_t wanted = kDataOffset + data;
  if (wanted > gasnet_getMaxGlobalSegmentSize()) {
    Refuse(program, std::to_string(gasnet_nodes()) +
                        " ranks need segments of " + std::to_string(wanted) +
                        " bytes; accepted here: " +
                        std::to_string(gasnet_getMaxGlobalSegmentSize()) +
                        " (GASNET_MAX_SEGSIZE), or fewer ranks");
  }
  const int result = gasnet_attach(
      handlers.data(), static_cast<int>(handlers.size()), wanted, 0);
  if (result != GASNET_OK) {
    Refuse(program, std::string("gasnet_attach: ") + gasnet_ErrorDesc(result));
  }
  segments.resize(gasnet_nodes());
  gasnet_getSegmentInfo(segments.data(), static_cast<int>(segments.size()));
  ControlOf(gasnet_mynode())->processor = sched_getcpu();
  Barrier();
}

}  // namespace

#if defined(GASNET_SEQ)
const char kMode[] = "seq";
#elif defined(GASNET_PARSYNC)
const char kMode[] = "parsync";
#else
const char kMode[] = "par";
#endif

Options StartRanks(int argc, char** argv, HandlerTable handlers,
                   gasnet_node_t ranks, DataOfRanks data) {
  if (gasnet_init(&argc, &argv) != GASNET_OK) {
    fprintf(stderr, "%s: gasnet_init failed\n", argv[0]);
    exit(1);
  }
  Attach(argv[0], handlers, data(gasnet_nodes()));
  if (ranks != 0 && ranks != gasnet_nodes()) {
    Refuse(argv[0], "runs as " + std::to_string(ranks) + " ranks, not " +
                        std::to_string(gasnet_nodes()));
  }
  Options options;
  const std::string complaint = ParseOptions(argc, argv, options);
  if (!complaint.empty()) Refuse(argv[0], complaint);
  return options;
}

void MeasureRows(std::span<const Row> rows, const Options& options) {
  Ranks ranks;
  RunRows(rows, options, kMode, ranks);
  Barrier();
  gasnet_exit(0);
}

uint64_t Ranks::Agree(uint64_t value) {
  if (Leads()) {
    for (gasnet_node_t rank = 0; rank < gasnet_nodes(); ++rank) {
      gasnet_put(rank, &ControlOf(rank)->agreed, &value, sizeof(value));
    }
  }
  Barrier();
  const uint64_t agreed = ControlOf(gasnet_mynode())->agreed;
  // Every rank must have read `agreed` before the next call overwrites it.
  Barrier();
  return agreed;
}

unsigned char* DataOf(gasnet_node_t rank) {
  return static_cast<unsigned char*>(segments[rank].addr) + kDataOffset;
}

void Barrier() {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

int ProcessorOf(gasnet_node_t rank) {
  int64_t processor = 0;
  gasnet_get(&processor, rank, &ControlOf(rank)->processor, sizeof(processor));
  return static_cast<int>(processor);
}

}  // namespace gasnet::bench
