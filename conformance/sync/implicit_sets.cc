// Implicit synchronization of gets, of puts, or of all operations returns at
// once if no such operation is outstanding. It leaves explicit operations alone
// (section 3.3.5.1).
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kWords = 32;

uint64_t* There(gasnet_node_t owner) {
  return reinterpret_cast<uint64_t*>(SharedMemory(owner)) +
         gasnet_mynode() * 2 * kWords;
}

void NothingOutstanding() {
  for (int i = 0; i < 3; ++i) {
    gasnet_wait_syncnbi_gets();
    gasnet_wait_syncnbi_puts();
    gasnet_wait_syncnbi_all();
    CHECK_OK(gasnet_try_syncnbi_gets());
    CHECK_OK(gasnet_try_syncnbi_puts());
    CHECK_OK(gasnet_try_syncnbi_all());
  }
}

void StartPuts(gasnet_node_t peer, uint64_t base) {
  for (int i = 0; i < kWords; ++i) {
    uint64_t value = base + i;
    if (i % 2 == 0) gasnet_put_nbi(peer, There(peer) + i, &value, 8);
    if (i % 2 == 1) gasnet_put_nbi_val(peer, There(peer) + i, value, 8);
  }
}

void StartGets(gasnet_node_t peer, uint64_t* copy) {
  for (int i = 0; i < kWords; ++i) {
    gasnet_get_nbi(&copy[i], peer, There(peer) + i, 8);
  }
}

void CheckCopy(const uint64_t* copy, uint64_t base) {
  for (int i = 0; i < kWords; ++i) CHECK_EQ(copy[i], base + i);
}

// Synchronizes gets while puts to other words may still be under way, and the
// reverse. Checks that the synchronized operations are complete.
void SyncSetsApart(gasnet_node_t peer) {
  uint64_t copy[kWords] = {};
  uint64_t* const other_words = There(peer) + kWords;
  StartPuts(peer, 1000);
  gasnet_wait_syncnbi_puts();

  gasnet_memset_nbi(peer, other_words, 0x11, kWords * 8);
  StartGets(peer, copy);
  gasnet_wait_syncnbi_gets();
  CheckCopy(copy, 1000);
  gasnet_wait_syncnbi_puts();
  CHECK_EQ(gasnet_get_val(peer, other_words, 2), 0x1111);

  gasnet_memset_nbi(peer, other_words, 0x22, kWords * 8);
  StartGets(peer, copy);
  gasnet_wait_syncnbi_all();
  CheckCopy(copy, 1000);
  CHECK_EQ(gasnet_get_val(peer, other_words, 2), 0x2222);
}

// Starts an explicit operation, and then implicit ones. Checks that it keeps
// its handle when the implicit ones are synchronized.
void LeaveExplicitAlone(gasnet_node_t peer) {
  uint64_t before = 5;
  uint64_t copy[kWords] = {};
  const gasnet_handle_t handle =
      gasnet_put_nb(peer, There(peer) + kWords, &before, 8);
  StartPuts(peer, 2000);
  gasnet_wait_syncnbi_all();
  StartGets(peer, copy);
  gasnet_wait_syncnbi_all();
  CheckCopy(copy, 2000);
  gasnet_wait_syncnb(handle);
  CHECK_EQ(gasnet_get_val(peer, There(peer) + kWords, 8), 5);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::InitJob(&argc, &argv);
  conformance::AttachJob(
      nullptr, 0, gasnet_nodes() * 2 * conformance::kWords * sizeof(uint64_t));
  conformance::NothingOutstanding();
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    conformance::SyncSetsApart(peer);
    conformance::LeaveExplicitAlone(peer);
    conformance::NothingOutstanding();
  }
  return conformance::FinishJob();
}
