// Values that are put from registers and got into registers, for every size
// that a register can hold. The low-order bytes are transferred, in the byte
// order of an integer of their size. A got value is not sign-extended (section
// 3.4).
#include <string.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

using Value = gasnet_register_value_t;

constexpr size_t kRegister = SIZEOF_GASNET_REGISTER_VALUE_T;
constexpr size_t kSlot = 64;
constexpr size_t kMiddle = 16;

// The top bit of every byte is set. A sign extension would change the value.
constexpr Value kValue = static_cast<Value>(0xF1E2D3C4B5A69788u);

enum Form { kBlocking, kExplicit, kImplicit, kForms };

void Put(Form form, gasnet_node_t peer, void* there, Value value,
         size_t bytes) {
  if (form == kBlocking) gasnet_put_val(peer, there, value, bytes);
  if (form == kExplicit) {
    gasnet_wait_syncnb(gasnet_put_nb_val(peer, there, value, bytes));
  }
  if (form == kImplicit) {
    gasnet_put_nbi_val(peer, there, value, bytes);
    gasnet_wait_syncnbi_puts();
  }
}

Value LowBytes(Value value, size_t bytes) {
  const size_t unused = 8 * (kRegister - bytes);
  return value << unused >> unused;
}

// Checks the bytes of an integer of `bytes` bytes. On a big-endian machine they
// are the last bytes of the register.
void CheckBytesOf(const char* memory, Value value, size_t bytes) {
  const uint16_t probe = 1;
  const bool little = *reinterpret_cast<const uint8_t*>(&probe) == 1;
  char expected[kRegister];
  memcpy(expected, &value, kRegister);
  const char* const first = little ? expected : expected + kRegister - bytes;
  CHECK_EQ(memcmp(memory, first, bytes), 0);
}

// Puts and gets a value. The address is naturally aligned if the size is a
// power of two.
void PutAndGet(Form form, gasnet_node_t peer, size_t bytes) {
  char copy[kSlot];
  char* const slot = SharedMemory(peer) + gasnet_mynode() * kSlot;
  char* const there = slot + kMiddle;
  gasnet_memset(peer, slot, 0xEE, kSlot);
  Put(form, peer, there, kValue, bytes);

  CHECK_EQ(gasnet_get_val(peer, there, bytes), LowBytes(kValue, bytes));
  const gasnet_valget_handle_t handle = gasnet_get_nb_val(peer, there, bytes);
  CHECK_EQ(gasnet_wait_syncnb_valget(handle), LowBytes(kValue, bytes));

  gasnet_get(copy, peer, slot, kSlot);
  CheckBytesOf(copy + kMiddle, kValue, bytes);
  CHECK_BYTES(copy, kMiddle, 0xEE);
  CHECK_BYTES(copy + kMiddle + bytes, kSlot - kMiddle - bytes, 0xEE);
}

// Keeps many value gets in flight at once. Syncs them in an order different
// from that of their starts.
void GetManyAtOnce(gasnet_node_t peer) {
  constexpr int kGets = 16;
  char* const slot = SharedMemory(peer) + gasnet_mynode() * kSlot;
  gasnet_valget_handle_t handles[kGets];
  for (int i = 0; i < kGets; ++i) {
    gasnet_put_val(peer, slot + i, 100 + i, 1);
  }
  for (int i = 0; i < kGets; ++i) {
    handles[i] = gasnet_get_nb_val(peer, slot + i, 1);
  }
  for (int i = kGets - 1; i >= 0; --i) {
    CHECK_EQ(gasnet_wait_syncnb_valget(handles[i]), 100 + i);
  }
}

void TestPeer(gasnet_node_t peer) {
  for (int form = kBlocking; form < kForms; ++form) {
    for (size_t bytes = 1; bytes <= kRegister; ++bytes) {
      PutAndGet(static_cast<Form>(form), peer, bytes);
    }
  }
  GetManyAtOnce(peer);
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
