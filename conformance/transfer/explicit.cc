// Explicit-handle puts and gets, aligned and bulk. Many of them go to every
// node at once. They are complete after they have been synchronized (sections
// 3.3.2.1, 3.3.2.2 and 3.3.3.1).
#include <string.h>

#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kLargest = 40000;
constexpr size_t kSlot = 40960 + 64;

// Completes the first operation by tries, the second by a wait.
void Sync(gasnet_handle_t tried, gasnet_handle_t waited) {
  int result;
  do {
    result = gasnet_try_syncnb(tried);
  } while (result == GASNET_ERR_NOT_READY);
  CHECK_OK(result);
  gasnet_wait_syncnb(waited);
}

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

// Starts puts to all nodes and synchronizes them. Then starts gets and
// synchronizes them.
void PutAndGet(size_t bytes) {
  const gasnet_node_t nodes = gasnet_nodes();
  const auto handles = std::make_unique<gasnet_handle_t[]>(2 * nodes);
  for (gasnet_node_t peer = 0; peer < nodes; ++peer) {
    FillPattern(Here(peer, 0), bytes, peer);
    FillPattern(Here(peer, 1) + 1, bytes, peer + 1);
    handles[2 * peer] =
        gasnet_put_nb(peer, There(peer, 0), Here(peer, 0), bytes);
    handles[2 * peer + 1] =
        gasnet_put_nb_bulk(peer, There(peer, 1) + 5, Here(peer, 1) + 1, bytes);
  }
  for (gasnet_node_t peer = 0; peer < nodes; ++peer) {
    Sync(handles[2 * peer], handles[2 * peer + 1]);
    memset(Here(peer, 0), 0, bytes);
    memset(Here(peer, 1), 0, bytes + 1);
  }
  for (gasnet_node_t peer = 0; peer < nodes; ++peer) {
    handles[2 * peer] =
        gasnet_get_nb(Here(peer, 0), peer, There(peer, 0), bytes);
    handles[2 * peer + 1] =
        gasnet_get_nb_bulk(Here(peer, 1) + 1, peer, There(peer, 1) + 5, bytes);
  }
  for (gasnet_node_t peer = 0; peer < nodes; ++peer) {
    Sync(handles[2 * peer + 1], handles[2 * peer]);
    CHECK_PATTERN(Here(peer, 0), bytes, peer);
    CHECK_PATTERN(Here(peer, 1) + 1, bytes, peer + 1);
  }
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
