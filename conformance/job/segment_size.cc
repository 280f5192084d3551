// The requested size of a segment and its actual size (sections 2.1.0.2,
// 2.1.0.3 and 2.2.0.3). The argument selects the request.
//
// All nodes must get the same base and the same size of a given segment, both
// multiples of GASNET_PAGESIZE. The segment must be usable to its last byte,
// from its own node and from all others.
#include <stdlib.h>
#include <string.h>

#include <atomic>
#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

#ifdef GASNET_SEGMENT_EVERYTHING
constexpr bool kEverything = true;
#else
constexpr bool kEverything = false;
#endif

enum { kReport = 128 };

std::unique_ptr<gasnet_seginfo_t[]> segments;
std::atomic<gasnet_node_t> reports{0};

// Values that must be the same on every node, even if nodes have different
// memory.
struct View {
  gasnet_seginfo_t segment;
  size_t max_long_request;
  size_t max_long_reply;
};

uintptr_t SizeToAskFor(const char* which) {
  if (strcmp(which, "zero") == 0) return 0;
  if (strcmp(which, "one_page") == 0) return GASNET_PAGESIZE;
  if (strcmp(which, "unequal") == 0) return gasnet_mynode() * GASNET_PAGESIZE;
  if (strcmp(which, "local_maximum") == 0) {
    return gasnet_getMaxLocalSegmentSize();
  }
  CHECK_EQ(strcmp(which, "global_maximum"), 0);
  return gasnet_getMaxGlobalSegmentSize();
}

void OnReport(gasnet_token_t token, void* data, size_t bytes) {
  gasnet_node_t source;
  CHECK_OK(gasnet_AMGetMsgSource(token, &source));
  View theirs;
  CHECK_EQ(bytes, sizeof(theirs));
  memcpy(&theirs, data, sizeof(theirs));
  CHECK_EQ(theirs.segment.addr, segments[source].addr);
  CHECK_EQ(theirs.segment.size, segments[source].size);
  CHECK_EQ(theirs.max_long_request, gasnet_AMMaxLongRequest());
  CHECK_EQ(theirs.max_long_reply, gasnet_AMMaxLongReply());
  ++reports;
}

void CheckSegment(const gasnet_seginfo_t& segment, uintptr_t asked) {
  if (kEverything) {
    CHECK_EQ(segment.addr, nullptr);
    CHECK_EQ(segment.size, static_cast<uintptr_t>(-1));
    return;
  }
  CHECK_EQ(reinterpret_cast<uintptr_t>(segment.addr) % GASNET_PAGESIZE, 0);
  CHECK_EQ(segment.size % GASNET_PAGESIZE, 0);
  CHECK(segment.size <= asked);
  CHECK((segment.size == 0) == (asked == 0));
}

// Sends this node's view of its own segment, and of the limits of messages, to
// every node. The receiver compares it with its own view.
void CompareSegments() {
  View mine = {segments[gasnet_mynode()], gasnet_AMMaxLongRequest(),
               gasnet_AMMaxLongReply()};
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    CHECK_OK(gasnet_AMRequestMedium0(peer, kReport, &mine, sizeof(mine)));
  }
  GASNET_BLOCKUNTIL(reports == gasnet_nodes());
}

void CheckAlignment() {
  if (!GASNET_ALIGNED_SEGMENTS || kEverything) return;
  const void* base = nullptr;
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    if (segments[node].size == 0) continue;
    if (base == nullptr) base = segments[node].addr;
    CHECK_EQ(segments[node].addr, base);
  }
}

// Marks both ends of this node's segment by stores, then reads the marks of all
// other nodes. No page needs to have been touched before.
void TouchBothEnds() {
  const gasnet_seginfo_t& mine = segments[gasnet_mynode()];
  if (mine.size > 0) {
    static_cast<uint8_t*>(mine.addr)[0] = 17;
    static_cast<uint8_t*>(mine.addr)[mine.size - 1] = 23;
  }
  Barrier();
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    if (segments[peer].size == 0) continue;
    uint8_t* first = static_cast<uint8_t*>(segments[peer].addr);
    uint8_t* last = first + segments[peer].size - 1;
    CHECK_EQ(gasnet_get_val(peer, first, 1), 17);
    CHECK_EQ(gasnet_get_val(peer, last, 1), 23);
  }
}

// Puts to a page in the middle of the next node's segment. The next node itself
// never touches this page.
void PutIntoTheMiddle() {
  const gasnet_node_t peer = (gasnet_mynode() + 1) % gasnet_nodes();
  if (segments[peer].size < 4 * GASNET_PAGESIZE) return;
  uint8_t* middle =
      static_cast<uint8_t*>(segments[peer].addr) + segments[peer].size / 2;
  gasnet_put_val(peer, middle, 99, 1);
  CHECK_EQ(gasnet_get_val(peer, middle, 1), 99);
}

gasnet_handlerentry_t handlers[] = {HANDLER(kReport, OnReport)};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  CHECK_OK(gasnet_init(&argc, &argv));
  CHECK_EQ(argc, 2);
  const uintptr_t size = conformance::SizeToAskFor(argv[1]);
  const int nodes = static_cast<int>(gasnet_nodes());
  auto& segments = conformance::segments;
  segments = std::make_unique<gasnet_seginfo_t[]>(nodes);
  CHECK_OK(gasnet_attach(conformance::handlers, COUNT_OF(conformance::handlers),
                         size, 0));
  CHECK_OK(gasnet_getSegmentInfo(segments.get(), nodes));
  conformance::Barrier();  // all nodes know all segments before any report
  conformance::CheckSegment(segments[gasnet_mynode()], size);
  conformance::CheckAlignment();
  conformance::CompareSegments();
  if (!conformance::kEverything) {
    conformance::TouchBothEnds();
    conformance::PutIntoTheMiddle();
  }
  return conformance::FinishJob();
}
