// Handles do not run out: 65536 operations are under way, and are synced from
// the last to the first. A root does not wait for nodes that have not begun: it
// begins a thousand broadcasts before any other node has begun one.
#include <string.h>

#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr uint64_t kOperations = 65536;
constexpr uint64_t kAhead = 1000;
constexpr int kMine =
    GASNET_ALL_IN_MYSYNC | GASNET_ALL_OUT_MYSYNC | GASNET_ALL_LOCAL;
constexpr int kNone =
    GASNET_ALL_IN_NOSYNC | GASNET_ALL_OUT_NOSYNC | GASNET_ALL_LOCAL;

gasnet_node_t RootOf(uint64_t operation) {
  return static_cast<gasnet_node_t>(operation % gasnet_nodes());
}

// Returns true for every fourth operation. These are sums. The other operations
// are broadcasts.
bool IsSum(uint64_t operation) { return operation % 4 == 3; }

uint64_t Expected(uint64_t operation) {
  const uint64_t nodes = gasnet_nodes();
  if (!IsSum(operation)) return operation * 7 + RootOf(operation);
  return operation * 7 * nodes + nodes * (nodes - 1) / 2;
}

void ManyHandles() {
  std::vector<uint64_t> src(kOperations);
  std::vector<uint64_t> dst(kOperations);
  std::vector<gasnet_all_handle_t> handles(kOperations);
  for (uint64_t i = 0; i < kOperations; ++i) {
    src[i] = i * 7 + gasnet_mynode();
    handles[i] = IsSum(i) ? gasnet_all_reduce_all_nb(&dst[i], &src[i], 1,
                                                     GASNET_ALL_UINT64,
                                                     GASNET_ALL_SUM, 0, kMine)
                          : gasnet_all_broadcast_nb(&dst[i], RootOf(i), &src[i],
                                                    sizeof(uint64_t), kMine);
  }
  for (uint64_t i = kOperations; i-- > 0;) {
    gasnet_all_wait_sync(handles[i]);
    CHECK_EQ(dst[i], Expected(i));
    src[i] = dst[i] = 0;
  }
}

void RootAhead(gasnet_node_t root) {
  auto* const begun =
      reinterpret_cast<volatile uint64_t*>(SharedMemory(gasnet_mynode()));
  *begun = 0;
  std::vector<uint64_t> src(kAhead);
  std::vector<uint64_t> dst(kAhead);
  std::vector<gasnet_all_handle_t> handles(kAhead);
  for (uint64_t i = 0; i < kAhead; ++i) src[i] = i * 3 + root;
  Barrier();
  // Polls instead of blocking, since the put to this word wakes no thread.
  while (gasnet_mynode() != root && *begun != 1) CHECK_OK(gasnet_AMPoll());
  for (uint64_t i = 0; i < kAhead; ++i) {
    handles[i] = gasnet_all_broadcast_nb(&dst[i], root, &src[i],
                                         sizeof(uint64_t), kNone);
  }
  for (gasnet_node_t node = 0; root == gasnet_mynode() && node < gasnet_nodes();
       ++node) {
    if (node != root) gasnet_put_val(node, SharedMemory(node), 1, 8);
  }
  gasnet_all_wait_sync_all(handles.data(), handles.size());
  for (uint64_t i = 0; i < kAhead; ++i) CHECK_EQ(dst[i], i * 3 + root);
  Barrier();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, GASNET_PAGESIZE);
  gasnet_coll_init(nullptr, 0, nullptr, 0, 0);
  conformance::ManyHandles();
  conformance::RootAhead(0);
  conformance::RootAhead(gasnet_nodes() - 1);
  return conformance::FinishJob();
}
