#include "core/phase.h"

#include "base/log.h"

namespace gasnet::internal {

void RefuseEarly(const char* call) {
  Fatal("%s called before %s", call,
        phase == Phase::kNone ? "gasnet_init" : "gasnet_attach");
}

}  // namespace gasnet::internal
