// One array may hold the handles of operations of every kind: puts, gets,
// memsets, values and access regions, to different nodes (sections 3.3.3 and
// 3.3.6).
#include <string.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kWords = 8;
enum { kPut, kGet, kPutBulk, kGetBulk, kMemset, kValue, kRegion, kKinds };

// Returns the words in the memory of `owner` that belong to this node.
uint64_t* There(gasnet_node_t owner) {
  return reinterpret_cast<uint64_t*>(SharedMemory(owner)) +
         gasnet_mynode() * kWords;
}

uint64_t words[kWords];  // sources of puts
uint64_t copies[2];      // destinations of gets

gasnet_handle_t StartRegion(gasnet_node_t peer) {
  gasnet_begin_nbi_accessregion();
  gasnet_put_nbi_val(peer, There(peer) + 6, 66, 8);
  gasnet_memset_nbi(peer, There(peer) + 7, 7, 8);
  return gasnet_end_nbi_accessregion();
}

void Start(gasnet_node_t peer, gasnet_handle_t* handles) {
  uint64_t* const there = There(peer);
  const size_t word = sizeof(uint64_t);
  handles[kPut] = gasnet_put_nb(peer, there + 2, &words[2], word);
  handles[kGet] = gasnet_get_nb(&copies[0], peer, there, word);
  handles[kPutBulk] = gasnet_put_nb_bulk(peer, there + 3, &words[3], word);
  handles[kGetBulk] = gasnet_get_nb_bulk(&copies[1], peer, there + 1, word);
  handles[kMemset] = gasnet_memset_nb(peer, there + 4, 4, word);
  handles[kValue] = gasnet_put_nb_val(peer, there + 5, 55, word);
  handles[kRegion] = StartRegion(peer);
}

void CheckDone(gasnet_node_t peer) {
  uint64_t now[kWords];
  gasnet_get(now, peer, There(peer), sizeof(now));
  CHECK_EQ(copies[0], 100);
  CHECK_EQ(copies[1], 101);
  CHECK_EQ(now[2], words[2]);
  CHECK_EQ(now[3], words[3]);
  CHECK_BYTES(&now[4], sizeof(now[4]), 4);
  CHECK_EQ(now[5], 55);
  CHECK_EQ(now[6], 66);
  CHECK_BYTES(&now[7], sizeof(now[7]), 7);
}

void TestPeer(gasnet_node_t peer) {
  gasnet_handle_t handles[kKinds];
  for (size_t i = 0; i < kWords; ++i) words[i] = 100 + i;
  gasnet_put(peer, There(peer), words, sizeof(words));
  memset(copies, 0, sizeof(copies));
  Start(peer, handles);
  gasnet_wait_syncnb_some(handles, kKinds);
  gasnet_wait_syncnb_all(handles, kKinds);
  for (gasnet_handle_t handle : handles) {
    CHECK(handle == GASNET_INVALID_HANDLE);
  }
  CheckDone(peer);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::InitJob(&argc, &argv);
  conformance::AttachJob(
      nullptr, 0, gasnet_nodes() * conformance::kWords * sizeof(uint64_t));
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    conformance::TestPeer(peer);
  }
  return conformance::FinishJob();
}
