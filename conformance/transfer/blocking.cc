// gasnet_put and gasnet_get move aligned data of every size to and from every
// node, and touch nothing else (sections 3.1 and 3.2.0.1).
#include <string.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kLargest = 70000;
constexpr size_t kGuard = 4096;  // guards on both sides keep the data aligned
constexpr size_t kSlot = 96 * 1024;
static_assert(kSlot >= kLargest + 2 * kGuard);

alignas(4096) char source[kLargest];
alignas(4096) char copy[kLargest + kGuard];

// Returns this node's slot in the memory of `owner`. The data lie kGuard bytes
// within it, between two guards.
char* Slot(gasnet_node_t owner) {
  return SharedMemory(owner) + gasnet_mynode() * kSlot;
}

void PutAndGet(gasnet_node_t peer, size_t bytes, uint32_t key) {
  char* const there = Slot(peer) + kGuard;
  FillPattern(source, bytes, key);
  memset(copy, 0xEE, bytes + kGuard);
  gasnet_put(peer, there, source, bytes);
  gasnet_get(copy, peer, there, bytes);
  CHECK_PATTERN(copy, bytes, key);
  CHECK_BYTES(copy + bytes, kGuard, 0xEE);
}

void CheckGuards(gasnet_node_t peer, size_t largest) {
  static char slot[kSlot];
  gasnet_get(slot, peer, Slot(peer), kSlot);
  CHECK_BYTES(slot, kGuard, 0xEE);
  CHECK_BYTES(slot + kGuard + largest, kSlot - kGuard - largest, 0xEE);
}

// Tests a peer. Sizes ascend, so a put that writes too much overwrites guard
// bytes, and CheckGuards() notices it.
void TestPeer(gasnet_node_t peer) {
  for (size_t n = 0; n <= kLargest; n = NextSize(n, kLargest)) {
    PutAndGet(peer, n, static_cast<uint32_t>(n + peer));
    if (n <= 64 || n == kLargest) CheckGuards(peer, n);
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::InitJob(&argc, &argv);
  const size_t bytes = gasnet_nodes() * conformance::kSlot;
  conformance::AttachJob(nullptr, 0, bytes);
  memset(conformance::SharedMemory(gasnet_mynode()), 0xEE, bytes);
  conformance::Barrier();
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    conformance::TestPeer(peer);
  }
  return conformance::FinishJob();
}
