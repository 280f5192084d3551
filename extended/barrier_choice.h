// The choice of a job's barrier by GASNET_BARRIER. All ranks must choose the
// same.
#ifndef EXTENDED_BARRIER_CHOICE_H_
#define EXTENDED_BARRIER_CHOICE_H_

#include <cstdint>

namespace gasnet::extended {

enum class BarrierKind : uint32_t { kDissemination, kCentral, kNative };

// Returns the job's barrier. `native` is the name of the conduit's own barrier,
// or null if it has none. If the conduit has one, it is the default. An invalid
// value of GASNET_BARRIER ends the job with a message.
BarrierKind ChooseBarrier(const char* native);

// Returns true if the flags of a wait may differ from those of its notify. This
// is so if GASNET_BARRIER_FLAGS is "relaxed" and not "strict" (the default).
bool RelaxedBarrierFlags();

}  // namespace gasnet::extended

#endif  // EXTENDED_BARRIER_CHOICE_H_
