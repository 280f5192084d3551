// The choice of a job's barrier by GASNET_BARRIER. All ranks must choose the
// same barrier.
#ifndef EXTENDED_BARRIER_CHOICE_H_
#define EXTENDED_BARRIER_CHOICE_H_

#include <cstdint>

namespace gasnet::extended {

enum class BarrierKind : uint32_t { kDissemination, kCentral, kNative };

// Returns the job's barrier. native: the name of the conduit's own barrier, or
// null if it has none. By default the conduit's own barrier is used, if there
// is one. An invalid value of GASNET_BARRIER ends the job with a message.
BarrierKind ChooseBarrier(const char* native);

// Returns true if GASNET_BARRIER_FLAGS is "relaxed". The flags of a wait may
// then differ from those of its notify. The default is "strict".
bool RelaxedBarrierFlags();

}  // namespace gasnet::extended

#endif  // EXTENDED_BARRIER_CHOICE_H_
