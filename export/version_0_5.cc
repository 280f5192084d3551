// Version 0.5 of the interface (gasnet_0_5.h), implemented by calls of the
// current version.
#include <unistd.h>

#include <cinttypes>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "base/log.h"
#include "base/own_env.h"
#include "core/segment_limit.h"
#include "export/handler_assignment.h"
#include "export/linked_library.h"
#include "gasnet_0_5.h"

namespace {

constexpr unsigned kFirstHandler = 200;

#if defined(GASNET_SEGMENT_EVERYTHING)
constexpr bool kEverything = true;
#else
constexpr bool kEverything = false;
#endif

// Gives every entry with index 0 the lowest free index that version 0.5 allows.
// Returns false if the table is invalid.
bool AssignHandlers(gasnet_handlerentry_t* table, int count) {
  if (count < 0) return false;
  const std::span entries(table, static_cast<size_t>(count));
  const auto assigned =
      gasnet::exported::AssignHandlers(entries, kFirstHandler);
  if (!assigned.has_value()) return false;
  for (size_t i = 0; i < entries.size(); ++i) entries[i].index = (*assigned)[i];
  return true;
}

// Checks that all nodes can have a segment of this size.
int CheckSize(uintptr_t segsize) {
  if (kEverything) return GASNET_OK;
  if (segsize == GASNET_SEGSIZE_EVERYTHING) {
    gasnet::Warn(
        "gasnet_init: segsize is GASNET_SEGSIZE_EVERYTHING; that needs a "
        "library that is built for GASNET_SEGMENT_EVERYTHING");
    return GASNET_ERR_BAD_ARG;
  }
  const uintptr_t most = gasnet_getMaxGlobalSegmentSize();
  if (segsize <= most) return GASNET_OK;
  gasnet::Warn("gasnet_init: segsize is %" PRIuPTR
               "; the nodes of this job have room for %" PRIuPTR " each",
               segsize, most);
  return GASNET_ERR_RESOURCE;
}

// Checks that all nodes got a segment of the size that this node asked for.
int CheckSegments(uintptr_t segsize) {
  if (kEverything) return GASNET_OK;
  std::vector<gasnet_seginfo_t> segments(gasnet_nodes());
  gasnet_getSegmentInfo(segments.data(), static_cast<int>(segments.size()));
  for (const gasnet_seginfo_t& segment : segments) {
    if (segment.size == segsize) continue;
    gasnet::Warn("gasnet_init: segsize is %" PRIuPTR
                 ", but another node's segment has %" PRIuPTR " bytes",
                 segsize, segment.size);
    return GASNET_ERR_RESOURCE;
  }
  return GASNET_OK;
}

// Returns the number of nodes of the job. All of them may share the host's
// memory. Reads the number from the environment if this process has not joined
// the job yet.
uint32_t ExpectedNodes() {
  if (gasneti_world.nodes > 0) return gasneti_world.nodes;
  const char* const handed = gasnet::OwnEnv("GASNET_JOB");
  const char* const size = handed ? strstr(handed, "size=") : nullptr;
  const char* const forked = gasnet::OwnEnv("GASNET_PSHM_NODES");
  const char* const text = size ? size + strlen("size=") : forked;
  const unsigned long nodes = text ? strtoul(text, nullptr, 10) : 1;
  return nodes == 0 ? 1 : static_cast<uint32_t>(nodes);
}

// Returns a fraction of the host's total memory. The free memory would not do,
// since it differs between nodes and changes.
uintptr_t NativeSegmentSize() {
  constexpr uint64_t kPart = 4;
  const uint64_t memory = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                          static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return gasnet::SegmentLimitFromEnvironment().PerRank(
      memory / kPart, ExpectedNodes(), GASNET_PAGESIZE);
}

}  // namespace

extern "C" {

uintptr_t gasnet_getMaxNativeSegmentSize(void) {
  if (kEverything) return GASNET_SEGSIZE_EVERYTHING;
  static const uintptr_t size = NativeSegmentSize();
  return size;
}

int gasneti_core_attach_0_5(gasnet_handlerentry_t* table, int numentries,
                            uintptr_t segsize) {
  if (table != nullptr && !AssignHandlers(table, numentries)) {
    return GASNET_ERR_BAD_ARG;
  }
  if (const int result = CheckSize(segsize); result != GASNET_OK) return result;
  if (const int result = gasnet_attach(table, numentries, segsize, 0);
      result != GASNET_OK) {
    return result;
  }
  return CheckSegments(segsize);
}

}  // extern "C"
