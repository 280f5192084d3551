// The choice of a job's barrier: GASNET_BARRIER, the same on all ranks.
#ifndef EXTENDED_BARRIER_CHOICE_H_
#define EXTENDED_BARRIER_CHOICE_H_

#include <cstdint>

namespace gasnet::extended {

enum class BarrierKind : uint32_t { kDissemination, kCentral, kNative };

// native: the name of the conduit's own barrier, the default, or null. A value
// of GASNET_BARRIER that is no barrier's name ends the job with a message.
BarrierKind ChooseBarrier(const char* native);

// Whether a wait's flags may differ from its notify's: GASNET_BARRIER_FLAGS,
// "strict" (the default) or "relaxed".
bool RelaxedBarrierFlags();

}  // namespace gasnet::extended

#endif  // EXTENDED_BARRIER_CHOICE_H_
