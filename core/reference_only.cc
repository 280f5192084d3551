#include "core/reference_only.h"

#include "base/env.h"

namespace gasnet {

bool IsReferenceOnly() {
  static const bool is_set = EnvBool("GASNET_REFERENCE", false);
  return is_set;
}

}  // namespace gasnet
