// A minheapoffset that is larger than the usual distance between heap and
// segment is respected too (section 2.1.0.2).
#include <unistd.h>

#include "base/sanitizer.h"
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr uintptr_t kSegment = 64 * GASNET_PAGESIZE;

// With 47 bits of addresses, Linux puts mappings 0x2a00'0000'0000 bytes above
// the heap of a position-independent program. The thread sanitizer allows no
// addresses farther above the heap.
constexpr uintptr_t kOffset =
    gasnet::kThreadSanitizer || sizeof(void*) < 8 ? 16 << 20 : 0x3000'0000'0000;

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kOffset;
  using conformance::kSegment;
  CHECK_OK(gasnet_init(&argc, &argv));
  CHECK_OK(gasnet_attach(nullptr, 0, kSegment, kOffset));
#ifndef GASNET_SEGMENT_EVERYTHING
  gasnet_seginfo_t segments[64];
  CHECK(gasnet_nodes() <= 64);
  CHECK_OK(gasnet_getSegmentInfo(segments, 64));
  const gasnet_seginfo_t& mine = segments[gasnet_mynode()];
  CHECK_EQ(mine.size, kSegment);
  const auto base = reinterpret_cast<uintptr_t>(mine.addr);
  const auto heap_end = reinterpret_cast<uintptr_t>(sbrk(0));
  CHECK(base < heap_end || base - heap_end >= kOffset);
  // The segment exists, and peers can access it.
  const gasnet_node_t peer = (gasnet_mynode() + 1) % gasnet_nodes();
  gasnet_memset(peer, segments[peer].addr, 0x5A, kSegment);
  conformance::Barrier();
  CHECK_BYTES(mine.addr, kSegment, 0x5A);
#endif
  return conformance::FinishJob();
}
