// The choice of a job's barrier: GASNET_BARRIER, the same on all ranks.
#ifndef EXTENDED_BARRIER_CHOICE_H_
#define EXTENDED_BARRIER_CHOICE_H_

#include <cstdint>

namespace gasnet::extended {

enum class BarrierKind : uint32_t { kDissemination, kCentral, kNative };

// Returns the job's barrier. native: the name of the conduit's own barrier,
// which is the default, or null. An invalid value of GASNET_BARRIER ends the
// job with a message.
BarrierKind ChooseBarrier(const char* native);

// Returns true if a wait's flags may differ from its notify's, that is, if
// GASNET_BARRIER_FLAGS is "relaxed" and not "strict" (the default).
bool RelaxedBarrierFlags();

}  // namespace gasnet::extended

#endif  // EXTENDED_BARRIER_CHOICE_H_
