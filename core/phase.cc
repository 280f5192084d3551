#include "core/phase.h"

#include "base/log.h"

namespace gasnet {

void EnterPhase(Phase phase) {
  internal::PhasePage& page = internal::phase_page;
  if (page.phase == Phase::kNone) WipeInChildren(&page, sizeof page);
  page.phase = phase;
}

namespace internal {

void RefuseEarly(const char* call) {
  RequireNotForked(call);
  Fatal("%s called before %s", call,
        CurrentPhase() == Phase::kNone ? "gasnet_init" : "gasnet_attach");
}

}  // namespace internal
}  // namespace gasnet
