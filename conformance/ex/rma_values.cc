// Puts and gets of values. The low-order bytes are transferred, as an integer
// of as many bytes. Gets extend the value by zeros. Neighbouring bytes stay
// unchanged (GASNet-EX, section 13.1).
#include <string.h>

#include <initializer_list>

#include "conformance/ex/ex_rma.h"

namespace conformance {
namespace {

constexpr size_t kSlot = 32;
constexpr gex_RMA_Value_t kValue = 0xF1E2D3C4B5A69788u;
constexpr int kForms = 3;

char* Slot(gex_Rank_t owner) { return BaseOf(owner) + ex.rank * kSlot; }

gex_RMA_Value_t LowBytes(gex_RMA_Value_t value, size_t bytes) {
  return bytes == 8 ? value : value & ((gex_RMA_Value_t{1} << 8 * bytes) - 1);
}

void Put(gex_TM_t tm, gex_Rank_t peer, int form, char* there,
         gex_RMA_Value_t value, size_t bytes) {
  if (form == 0) {
    CHECK_EQ(gex_RMA_PutBlockingVal(tm, peer, there, value, bytes, 0), 0);
  } else if (form == 1) {
    gex_Event_Wait(gex_RMA_PutNBVal(tm, peer, there, value, bytes, 0));
  } else {
    CHECK_EQ(gex_RMA_PutNBIVal(tm, peer, there, value, bytes, 0), 0);
    gex_NBI_Wait(GEX_EC_PUT, 0);
  }
}

void Test(gex_TM_t tm, gex_Rank_t peer, int form, size_t bytes, size_t at) {
  unsigned char slot[kSlot];
  memset(slot, 0xA5, sizeof(slot));
  CHECK_EQ(gex_RMA_PutBlocking(ex.tm, peer, Slot(peer), slot, kSlot, 0), 0);
  const gex_RMA_Value_t value = kValue * (2 * at + 1);
  Put(tm, peer, form, Slot(peer) + at, value, bytes);

  CHECK_EQ(gex_RMA_GetBlockingVal(tm, peer, Slot(peer) + at, bytes, 0),
           LowBytes(value, bytes));
  CHECK_EQ(gex_RMA_GetBlocking(ex.tm, slot, peer, Slot(peer), kSlot, 0), 0);
  CHECK_BYTES(slot, at, 0xA5);
  CHECK_BYTES(slot + at + bytes, kSlot - at - bytes, 0xA5);
  gex_RMA_Value_t stored = 0;
  memcpy(&stored, slot + at, bytes);  // relies on little endian
  CHECK_EQ(stored, LowBytes(value, bytes));
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;  // NOLINT(google-build-using-namespace)
  StartExJob(&argc, &argv, 8 * kSlot);
  for (gex_TM_t tm : {ex.tm, gex_TM_Pair(ex.ep, 0)}) {
    for (gex_Rank_t peer = 0; peer < ex.size; ++peer) {
      for (int form = 0; form < kForms; ++form) {
        for (size_t bytes = 1; bytes <= SIZEOF_GEX_RMA_VALUE_T; ++bytes) {
          for (size_t at = 8; at < 16; ++at) Test(tm, peer, form, bytes, at);
        }
      }
    }
  }
  return FinishJob();
}
