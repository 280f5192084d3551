// gasnet_put_bulk and gasnet_get_bulk move data of any size between addresses
// of any alignment, and touch nothing else (section 3.2.0.2).
#include <string.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kLargest = 70000;
constexpr size_t kGuard = 64;
constexpr size_t kSlot = kLargest + 3 * kGuard;
constexpr size_t kShifts[] = {0, 1, 7};

alignas(64) char source[kSlot];
alignas(64) char copy[kSlot];

char* Slot(gasnet_node_t owner) {
  return SharedMemory(owner) + gasnet_mynode() * kSlot;
}

// Puts and gets `bytes` bytes, and checks the bytes around them. The local
// address is `here` bytes past a multiple of 64. The remote address is `there`
// bytes past such a multiple.
void PutAndGet(gasnet_node_t peer, size_t bytes, size_t here, size_t there) {
  const uint32_t key = static_cast<uint32_t>(bytes + here * 3 + there);
  const size_t around = bytes + 2 * kGuard;
  FillPattern(source + here, bytes, key);
  gasnet_memset(peer, Slot(peer), 0xEE, around + there);
  memset(copy, 0xDD, around + there + here);

  gasnet_put_bulk(peer, Slot(peer) + kGuard + there, source + here, bytes);
  gasnet_get_bulk(copy + here, peer, Slot(peer), around + there);

  const char* const data = copy + here + kGuard + there;
  CHECK_PATTERN(data, bytes, key);
  CHECK_BYTES(data - kGuard, kGuard, 0xEE);
  CHECK_BYTES(data + bytes, kGuard, 0xEE);
  CHECK_BYTES(copy, here, 0xDD);
}

void TestPeer(gasnet_node_t peer) {
  for (size_t n = 0; n <= kLargest; n = NextSize(n, kLargest)) {
    for (size_t here : kShifts) {
      for (size_t there : kShifts) PutAndGet(peer, n, here, there);
    }
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::InitJob(&argc, &argv);
  conformance::AttachJob(nullptr, 0, gasnet_nodes() * conformance::kSlot);
  // Tests this node and every second peer.
  for (gasnet_node_t step = 0; step < gasnet_nodes(); step += 2) {
    conformance::TestPeer((gasnet_mynode() + step) % gasnet_nodes());
  }
  return conformance::FinishJob();
}
