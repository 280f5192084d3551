// gasnet_memset and its non-blocking forms set memory of any node, like memset.
// Only the low byte of the value counts, and nothing outside the area changes
// (sections 3.2.0.3, 3.3.2.3 and 3.3.4.1).
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr size_t kLargest = 10000;
constexpr size_t kGuard = 32;
constexpr size_t kSlot = kLargest + 3 * kGuard;
constexpr int kValues[] = {0, 1, 0x7F, 0x80, 0xFF, -1, 0x12345, 256};

enum Form { kBlocking, kExplicit, kImplicit, kForms };

void Memset(Form form, gasnet_node_t peer, void* there, int value,
            size_t bytes) {
  if (form == kBlocking) gasnet_memset(peer, there, value, bytes);
  if (form == kExplicit) {
    gasnet_wait_syncnb(gasnet_memset_nb(peer, there, value, bytes));
  }
  if (form == kImplicit) {
    gasnet_memset_nbi(peer, there, value, bytes);
    gasnet_wait_syncnbi_puts();
  }
}

void SetAndLook(Form form, gasnet_node_t peer, size_t bytes, int value) {
  static char copy[kSlot];
  char* const slot = SharedMemory(peer) + gasnet_mynode() * kSlot;
  const int background = ~value & 0xFF;
  const size_t shift = kGuard + bytes % 8;
  Memset(form, peer, slot, background, bytes + 2 * kGuard + 8);
  Memset(form, peer, slot + shift, value, bytes);
  gasnet_get_bulk(copy, peer, slot, bytes + 2 * kGuard + 8);
  CHECK_BYTES(copy, shift, background);
  CHECK_BYTES(copy + shift, bytes, value);
  CHECK_BYTES(copy + shift + bytes, kGuard, background);
}

void TestPeer(gasnet_node_t peer) {
  int round = 0;
  for (int form = kBlocking; form < kForms; ++form) {
    for (size_t n = 0; n <= kLargest; n = NextSize(n, kLargest)) {
      const int value = kValues[++round % COUNT_OF(kValues)];
      SetAndLook(static_cast<Form>(form), peer, n, value);
    }
  }
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::InitJob(&argc, &argv);
  conformance::AttachJob(nullptr, 0, gasnet_nodes() * conformance::kSlot);
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    conformance::TestPeer(peer);
  }
  return conformance::FinishJob();
}
