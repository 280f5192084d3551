// Values of GASNet-EX's constants: some are zero, some must differ, and some
// combine others (GASNet-EX, sections 1.6, 3.1 and 3.3).
#include <gasnet_coll.h>
#include <gasnet_mk.h>
#include <gasnet_ratomic.h>
#include <gasnet_vis.h>

#include <initializer_list>
#include <set>

#include "conformance/ex/ex_harness.h"

#if !defined(GASNET_MAXEPS) || GASNET_MAXEPS < 1
#error GASNET_MAXEPS
#endif
#if GEX_AM_INDEX_BASE > 128 || SIZEOF_GEX_RMA_VALUE_T < 4
#error limits
#endif
#if GASNET_RELEASE_VERSION_MAJOR < 2017 || !defined(GEX_SPEC_VERSION_MINOR)
#error versions
#endif
#if GASNET_SUPPORTS_TI_SRCRANK != 1 || GASNET_SUPPORTS_TI_EP != 1
#error required queries
#endif
#if (GEX_FLAG_AM_SHORT & GEX_FLAG_AM_REQUEST) || !GEX_EP_CAPABILITY_ALL
#error flags
#endif

namespace conformance {
namespace {

void CheckZeros() {
  CHECK(GEX_EVENT_INVALID == nullptr);
  CHECK(GEX_TM_INVALID == nullptr);
  CHECK(GEX_EP_INVALID == nullptr);
  CHECK(GEX_CLIENT_INVALID == nullptr);
  CHECK(GEX_SEGMENT_INVALID == nullptr);
  CHECK(GEX_MK_INVALID == nullptr);
  CHECK(GEX_AD_INVALID == nullptr);
  CHECK(GEX_AM_SRCDESC_NO_OP == nullptr);
  CHECK(GEX_EVENT_NO_OP != GEX_EVENT_INVALID);
  CHECK(GEX_MK_HOST != GEX_MK_INVALID);
}

void CheckLcOptions() {
  gex_Event_t event;
  const std::set<gex_Event_t*> different{GEX_EVENT_NOW, GEX_EVENT_DEFER,
                                         GEX_EVENT_GROUP, nullptr, &event};
  CHECK_EQ(different.size(), 5);
}

// Checks that no two of these masks share a bit.
void CheckDisjoint(std::initializer_list<uint64_t> bits) {
  uint64_t seen = 0;
  for (const uint64_t bit : bits) {
    CHECK(bit != 0);
    CHECK_EQ(seen & bit, 0);
    seen |= bit;
  }
}

void CheckBits() {
  CheckDisjoint({GEX_FLAG_AM_SHORT, GEX_FLAG_AM_MEDIUM, GEX_FLAG_AM_LONG,
                 GEX_FLAG_AM_REQUEST, GEX_FLAG_AM_REPLY});
  CHECK_EQ(GEX_FLAG_AM_MEDLONG, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_LONG);
  CHECK_EQ(GEX_FLAG_AM_REQREP, GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_REPLY);
  CheckDisjoint({GEX_FLAG_IMMEDIATE, GEX_FLAG_AM_PREPARE_LEAST_CLIENT,
                 GEX_FLAG_AM_PREPARE_LEAST_ALLOC});
  CheckDisjoint({GEX_FLAG_USES_GASNET1, GEX_FLAG_DEFER_THREADS});
  CheckDisjoint(
      {GEX_TI_SRCRANK, GEX_TI_EP, GEX_TI_ENTRY, GEX_TI_IS_REQ, GEX_TI_IS_LONG});
  CHECK_EQ(GEX_TI_ALL, GEX_TI_SRCRANK | GEX_TI_EP | GEX_TI_ENTRY |
                           GEX_TI_IS_REQ | GEX_TI_IS_LONG);
  CHECK_EQ(GEX_EC_ALL,
           GEX_EC_GET | GEX_EC_PUT | GEX_EC_AM | GEX_EC_LC | GEX_EC_RMW);
  CheckDisjoint({GEX_EP_CAPABILITY_RMA, GEX_EP_CAPABILITY_AM,
                 GEX_EP_CAPABILITY_VIS, GEX_EP_CAPABILITY_COLL,
                 GEX_EP_CAPABILITY_AD});
  CheckDisjoint({GEX_DT_I32, GEX_DT_U32, GEX_DT_I64, GEX_DT_U64, GEX_DT_FLT,
                 GEX_DT_DBL, GEX_DT_USER});
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartEx(&argc, &argv, nullptr, 0, 0 + GASNET_PAGESIZE);
  CheckZeros();
  CheckLcOptions();
  CheckBits();
  CHECK(GEX_RANK_INVALID > Size());
  return FinishJob();
}
