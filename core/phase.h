// How far this process has come with gasnet_init and gasnet_attach, and so what
// its client may call. A call that comes too early ends the process, in every
// build, with a message that names it.
//
// Those two calls alone write it, and no other call is legal while they run.
#ifndef CORE_PHASE_H_
#define CORE_PHASE_H_

#include <cstdint>

namespace gasnet {

enum class Phase : uint8_t { kNone, kInitialised, kAttached };

inline constinit Phase phase = Phase::kNone;

namespace internal {
[[noreturn, gnu::cold]] void RefuseEarly(const char* call);
}  // namespace internal

// For calls that are legal from gasnet_init on.
inline void RequireInitialised(const char* call) {
  if (phase == Phase::kNone) [[unlikely]]
    internal::RefuseEarly(call);
}

// For calls that are legal from gasnet_attach on.
inline void RequireAttached(const char* call) {
  if (phase != Phase::kAttached) [[unlikely]]
    internal::RefuseEarly(call);
}

}  // namespace gasnet

#endif  // CORE_PHASE_H_
