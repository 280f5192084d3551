// The progress of this process through gasnet_init and gasnet_attach. The phase
// decides the calls that the client may make. A call that comes too early ends
// the process, in every build, with a message that names the call. So does a
// call in a forked child (base/forked.h), which is in phase kNone again.
//
// Only gasnet_init and gasnet_attach enter a phase. No other call is legal
// while they run.
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

// Ends the process if gasnet_init has not run yet. call: the call's name.
inline void RequireInitialised(const char* call) {
  if (CurrentPhase() == Phase::kNone) [[unlikely]]
    internal::RefuseEarly(call);
}

// Ends the process if gasnet_attach has not run yet. call: the call's name.
inline void RequireAttached(const char* call) {
  if (CurrentPhase() != Phase::kAttached) [[unlikely]]
    internal::RefuseEarly(call);
}

}  // namespace gasnet

#endif  // CORE_PHASE_H_
