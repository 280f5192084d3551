// The conduit for jobs on one host: core/hostshm and no network. The extended
// API accesses mapped memory directly, and never sends a message for it. Some
// memory is not mapped: that of another supernode, or all memory under
// GASNET_SEGMENT_EVERYTHING. Only for such memory, the extended API uses the
// reference implementation over active messages.
//
// GASNET_REFERENCE=1 hides the mapped memory and the barrier, so that all of
// the reference implementation runs, as it does over networks.
#ifndef CONDUITS_SMP_SMP_CONDUIT_H_
#define CONDUITS_SMP_SMP_CONDUIT_H_

#include "core/runtime/conduit.h"

namespace gasnet::smp {

// The exported functions of a library (export/linked_library.inc) refer to the
// conduit by this symbol name.
extern const Conduit kConduit __asm__("gasneti_core_conduit_smp");

}  // namespace gasnet::smp

#endif  // CONDUITS_SMP_SMP_CONDUIT_H_
