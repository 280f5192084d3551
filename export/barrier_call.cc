#include "export/barrier_call.h"

#include "base/log.h"

namespace gasnet::exported::internal {

void CheckBarrierFlags(const char* call, int flags) {
  if (flags == 0 || flags == GASNET_BARRIERFLAG_ANONYMOUS ||
      flags == GASNET_BARRIERFLAG_UNNAMED ||
      flags == GASNET_BARRIERFLAG_MISMATCH)
    return;
  Fatal(
      "%s: flags is %d; it must be 0, GASNET_BARRIERFLAG_ANONYMOUS (%d), "
      "GASNET_BARRIERFLAG_UNNAMED (%d) or GASNET_BARRIERFLAG_MISMATCH (%d)",
      call, flags, GASNET_BARRIERFLAG_ANONYMOUS, GASNET_BARRIERFLAG_UNNAMED,
      GASNET_BARRIERFLAG_MISMATCH);
}

}  // namespace gasnet::exported::internal
