// After gasnet_attach with a minheapoffset the heap can grow at least that far.
// Its blocks never lie in the segment (section 2.1.0.2).
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr uintptr_t kOffset = 16 << 20;
constexpr uintptr_t kSegment = 64 * GASNET_PAGESIZE;

// Grows the heap by sbrk(), the traditional way.
char* GrowHeap() {
  void* old_end = sbrk(static_cast<intptr_t>(kOffset));
  CHECK(old_end != reinterpret_cast<void*>(-1));
  memset(old_end, 0x3C, kOffset);
  return static_cast<char*>(old_end);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kOffset;
  CHECK_OK(gasnet_init(&argc, &argv));
  CHECK_OK(gasnet_attach(nullptr, 0, conformance::kSegment, kOffset));
  conformance::Barrier();
  char* heap = conformance::GrowHeap();
#ifndef GASNET_SEGMENT_EVERYTHING
  // Fills the whole segment, to see that no write reaches the heap.
  const gasnet_node_t peer = (gasnet_mynode() + 1) % gasnet_nodes();
  gasnet_seginfo_t segments[64];
  CHECK(gasnet_nodes() <= 64);
  CHECK_OK(gasnet_getSegmentInfo(segments, 64));
  CHECK_EQ(segments[peer].size, conformance::kSegment);
  gasnet_memset(peer, segments[peer].addr, 0xFF, segments[peer].size);
#endif
  conformance::Barrier();
  CHECK_BYTES(heap, kOffset, 0x3C);
  return conformance::FinishJob();
}
