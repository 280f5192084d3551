// The progress of this process through gasnet_init and gasnet_attach, which
// decides the calls that its client may make. A call that comes too early ends
// the process, in every build, with a message that names it. So does one in a
// process that was forked from a node (base/forked.h), in which the phase is
// kNone again.
//
// Those two calls alone enter a phase, and no other call is legal while they
// run.
#ifndef CORE_PHASE_H_
#define CORE_PHASE_H_

#include <cstdint>

#include "base/forked.h"

namespace gasnet {

enum class Phase : uint8_t { kNone, kInitialised, kAttached };

namespace internal {
struct alignas(kWipeUnit) PhasePage {
  Phase phase = Phase::kNone;
};
inline constinit PhasePage phase_page;

[[noreturn, gnu::cold]] void RefuseEarly(const char* call);
}  // namespace internal

inline Phase CurrentPhase() { return internal::phase_page.phase; }

void EnterPhase(Phase phase);

// Refuses a call before gasnet_init. Used by calls that are legal from then on.
inline void RequireInitialised(const char* call) {
  if (CurrentPhase() == Phase::kNone) [[unlikely]]
    internal::RefuseEarly(call);
}

// Refuses a call before gasnet_attach. Used by calls that are legal from then
// on.
inline void RequireAttached(const char* call) {
  if (CurrentPhase() != Phase::kAttached) [[unlikely]]
    internal::RefuseEarly(call);
}

}  // namespace gasnet

#endif  // CORE_PHASE_H_
