// The source of a put that is not bulk may be overwritten as soon as the call
// returns, before the put is synchronized (sections 3.3.2.1 and 3.3.4.1).
// Sources lie outside and inside the segment. A network may read a source in
// the segment in place.
#include <string.h>

#include <initializer_list>
#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kLargest = 70000;
constexpr size_t kSlot = 70016;
constexpr int kSlots = 2;

alignas(64) char elsewhere[kLargest];
alignas(64) char copy[kLargest];

size_t SlotBytes() { return gasnet_nodes() * kSlots * kSlot; }

char* SourceInSegment() { return SharedMemory(gasnet_mynode()) + SlotBytes(); }

char* Slot(gasnet_node_t owner, int which) {
  return SharedMemory(owner) + (gasnet_mynode() * kSlots + which) * kSlot;
}

// Puts to all peers from one source, and overwrites the source between the
// puts. Uses explicit puts first, and then implicit puts.
void PutFromOneSource(char* source, size_t bytes) {
  const auto handles = std::make_unique<gasnet_handle_t[]>(gasnet_nodes());
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    FillPattern(source, bytes, peer);
    handles[peer] = gasnet_put_nb(peer, Slot(peer, 0), source, bytes);
    FillPattern(source, bytes, ~peer);
    gasnet_put_nbi(peer, Slot(peer, 1), source, bytes);
    memset(source, 0xDD, bytes);
  }
  gasnet_wait_syncnb_all(handles.get(), gasnet_nodes());
  gasnet_wait_syncnbi_puts();
}

void CheckArrived(size_t bytes) {
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    gasnet_get(copy, peer, Slot(peer, 0), bytes);
    CHECK_PATTERN(copy, bytes, peer);
    gasnet_get(copy, peer, Slot(peer, 1), bytes);
    CHECK_PATTERN(copy, bytes, ~peer);
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kLargest;
  conformance::InitJob(&argc, &argv);
  conformance::AttachJob(nullptr, 0, conformance::SlotBytes() + kLargest);
  for (char* source :
       {conformance::elsewhere, conformance::SourceInSegment()}) {
    for (size_t n = 1; n <= kLargest; n = conformance::NextSize(n, kLargest)) {
      conformance::PutFromOneSource(source, n);
      conformance::CheckArrived(n);
    }
  }
  return conformance::FinishJob();
}
