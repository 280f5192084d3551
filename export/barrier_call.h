// The arguments of the barrier functions (spec 3.5) of the job and of teams.
#ifndef EXPORT_BARRIER_CALL_H_
#define EXPORT_BARRIER_CALL_H_

#include "core/thread/mode.h"
#include "extended/barrier_calls.h"
#include "gasnet/types.h"

namespace gasnet::exported {

namespace internal {
void CheckBarrierFlags(const char* call, int flags);
}  // namespace internal

// Checks the flags in debug builds. `flags` are the flags of the call without
// GASNET_BARRIERFLAG_IMAGES.
inline void CheckBarrierFlags(const char* call, int flags) {
  if constexpr (thread::kChecks) internal::CheckBarrierFlags(call, flags);
}

inline extended::BarrierCall BarrierCallOf(int id, int flags) {
  constexpr int kNameless =
      GASNET_BARRIERFLAG_ANONYMOUS | GASNET_BARRIERFLAG_MISMATCH;
  return {.vote = {.named = (flags & kNameless) == 0,
                   .mismatch = (flags & GASNET_BARRIERFLAG_MISMATCH) != 0,
                   .id = id},
          .flags = flags};
}

}  // namespace gasnet::exported

#endif  // EXPORT_BARRIER_CALL_H_
