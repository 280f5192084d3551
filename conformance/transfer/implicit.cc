// Implicit-handle puts and gets, aligned and bulk. Many of them go to every
// node at once. They are complete after they have been synchronized (sections
// 3.3.4.1 and 3.3.5.1).
#include <string.h>

#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kLargest = 40000;
constexpr size_t kSlot = 40960 + 64;

// There() returns one of two areas in the memory of a node. Here() returns one
// of two local buffers for that node.
char* There(gasnet_node_t owner, int which) {
  return SharedMemory(owner) + (gasnet_mynode() * 2 + which) * kSlot;
}

std::unique_ptr<char[]> buffers;

char* Here(gasnet_node_t peer, int which) {
  const uintptr_t start = reinterpret_cast<uintptr_t>(buffers.get());
  const uintptr_t aligned = (start + 63) / 64 * 64;
  return reinterpret_cast<char*>(aligned) + (peer * 2 + which) * kSlot;
}

void StartPuts(size_t bytes) {
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    FillPattern(Here(peer, 0), bytes, peer);
    FillPattern(Here(peer, 1) + 1, bytes, peer + 1);
    gasnet_put_nbi(peer, There(peer, 0), Here(peer, 0), bytes);
    gasnet_put_nbi_bulk(peer, There(peer, 1) + 5, Here(peer, 1) + 1, bytes);
  }
}

void StartGets(size_t bytes) {
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    memset(Here(peer, 0), 0, bytes);
    memset(Here(peer, 1), 0, bytes + 1);
    gasnet_get_nbi(Here(peer, 0), peer, There(peer, 0), bytes);
    gasnet_get_nbi_bulk(Here(peer, 1) + 1, peer, There(peer, 1) + 5, bytes);
  }
}

void CheckGot(size_t bytes) {
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    CHECK_PATTERN(Here(peer, 0), bytes, peer);
    CHECK_PATTERN(Here(peer, 1) + 1, bytes, peer + 1);
  }
}

// Synchronizes the puts, in one of four ways. The size selects the way.
void SyncPuts(size_t bytes) {
  int result = GASNET_ERR_NOT_READY;
  while (bytes % 4 == 0 && result == GASNET_ERR_NOT_READY) {
    result = gasnet_try_syncnbi_puts();
  }
  while (bytes % 4 == 1 && result == GASNET_ERR_NOT_READY) {
    result = gasnet_try_syncnbi_all();
  }
  if (bytes % 4 == 2) gasnet_wait_syncnbi_puts();
  if (bytes % 4 == 3) gasnet_wait_syncnbi_all();
}

// Synchronizes the gets, in one of four ways. The size selects the way.
void SyncGets(size_t bytes) {
  int result = GASNET_ERR_NOT_READY;
  while (bytes % 4 == 0 && result == GASNET_ERR_NOT_READY) {
    result = gasnet_try_syncnbi_gets();
  }
  while (bytes % 4 == 1 && result == GASNET_ERR_NOT_READY) {
    result = gasnet_try_syncnbi_all();
  }
  if (bytes % 4 == 2) gasnet_wait_syncnbi_gets();
  if (bytes % 4 == 3) gasnet_wait_syncnbi_all();
}

void PutAndGet(size_t bytes) {
  StartPuts(bytes);
  SyncPuts(bytes);
  StartGets(bytes);
  SyncGets(bytes);
  CheckGot(bytes);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kLargest;
  using conformance::kSlot;
  conformance::InitJob(&argc, &argv);
  const size_t bytes = 2 * gasnet_nodes() * kSlot;
  conformance::buffers = std::make_unique<char[]>(bytes + 64);
  conformance::AttachJob(nullptr, 0, bytes);
  for (size_t n = 0; n <= kLargest; n = conformance::NextSize(n, kLargest)) {
    conformance::PutAndGet(n);
  }
  return conformance::FinishJob();
}
