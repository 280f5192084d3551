// Implicit operations that start in an access region complete with the region's
// handle, and with nothing else. Explicit operations that start in the region
// have their own handles (section 3.3.6).
#include <string.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kBytes = 600;
enum { kPut, kBulk, kSet, kValue, kSource, kLater, kAreas };

char* There(gasnet_node_t owner, int area) {
  return SharedMemory(owner) + (gasnet_mynode() * kAreas + area) * kBytes;
}

alignas(64) char source[kBytes];
alignas(64) char copies[2][kBytes];

void EmptyRegion() {
  gasnet_begin_nbi_accessregion();
  gasnet_wait_syncnb(gasnet_end_nbi_accessregion());

  gasnet_begin_nbi_accessregion();
  int result;
  const gasnet_handle_t handle = gasnet_end_nbi_accessregion();
  do {
    result = gasnet_try_syncnb(handle);
  } while (result == GASNET_ERR_NOT_READY);
  CHECK_OK(result);
}

void PrepareSource(gasnet_node_t peer) {
  memset(copies, 0, sizeof(copies));
  FillPattern(source, kBytes, 21);
  gasnet_put(peer, There(peer, kSource), source, kBytes);
}

// Runs implicit operations of each kind in a region. Also runs an explicit
// operation, and synchronizes it inside the region.
gasnet_handle_t RunRegion(gasnet_node_t peer) {
  gasnet_begin_nbi_accessregion();
  gasnet_put_nbi(peer, There(peer, kPut), source, kBytes);
  gasnet_put_nbi_bulk(peer, There(peer, kBulk), source, kBytes);
  const gasnet_handle_t inner =
      gasnet_get_nb(copies[0], peer, There(peer, kSource), kBytes);
  gasnet_memset_nbi(peer, There(peer, kSet), 0x42, kBytes);
  gasnet_put_nbi_val(peer, There(peer, kValue), 99, 8);
  gasnet_wait_syncnb(inner);
  CHECK_PATTERN(copies[0], kBytes, 21);
  gasnet_get_nbi_bulk(copies[1], peer, There(peer, kSource), kBytes);
  return gasnet_end_nbi_accessregion();
}

// Runs implicit operations after the region. Their synchronization does not
// involve the region.
void RunAfterRegion(gasnet_node_t peer) {
  gasnet_memset_nbi(peer, There(peer, kLater), 0x24, kBytes);
  gasnet_wait_syncnbi_puts();
  CHECK_EQ(gasnet_get_val(peer, There(peer, kLater), 1), 0x24);
  CHECK_OK(gasnet_try_syncnbi_all());
}

void CheckRegionDone(gasnet_node_t peer) {
  CHECK_PATTERN(copies[1], kBytes, 21);
  gasnet_get(copies[0], peer, There(peer, kPut), kBytes);
  CHECK_PATTERN(copies[0], kBytes, 21);
  gasnet_get(copies[0], peer, There(peer, kBulk), kBytes);
  CHECK_PATTERN(copies[0], kBytes, 21);
  gasnet_get(copies[0], peer, There(peer, kSet), kBytes);
  CHECK_BYTES(copies[0], kBytes, 0x42);
  CHECK_EQ(gasnet_get_val(peer, There(peer, kValue), 8), 99);
}

void TestPeer(gasnet_node_t peer) {
  PrepareSource(peer);
  const gasnet_handle_t handle = RunRegion(peer);
  RunAfterRegion(peer);
  gasnet_wait_syncnb(handle);
  CheckRegionDone(peer);
}

// Keeps several regions outstanding at once.
void ManyRegions(gasnet_node_t peer) {
  constexpr int kRegions = 40;
  gasnet_handle_t handles[kRegions];
  for (int i = 0; i < kRegions; ++i) {
    gasnet_begin_nbi_accessregion();
    gasnet_put_nbi_val(peer, There(peer, kPut) + i * 8, i, 8);
    gasnet_put_nbi_val(peer, There(peer, kBulk) + i * 8, -i, 8);
    handles[i] = gasnet_end_nbi_accessregion();
  }
  gasnet_wait_syncnb_all(handles, kRegions);
  for (int i = 0; i < kRegions; ++i) {
    CHECK_EQ(gasnet_get_val(peer, There(peer, kPut) + i * 8, 8), i);
    CHECK_EQ(gasnet_get_val(peer, There(peer, kBulk) + i * 8, 8), -i);
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::InitJob(&argc, &argv);
  conformance::AttachJob(
      nullptr, 0, gasnet_nodes() * conformance::kAreas * conformance::kBytes);
  conformance::EmptyRegion();
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    conformance::TestPeer(peer);
    conformance::ManyRegions(peer);
  }
  conformance::EmptyRegion();
  return conformance::FinishJob();
}
