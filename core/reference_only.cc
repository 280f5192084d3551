#include "core/reference_only.h"

#include "base/env.h"

namespace gasnet {

bool IsReferenceOnly() { return EnvBool("GASNET_REFERENCE", false); }

}  // namespace gasnet
