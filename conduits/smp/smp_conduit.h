// The conduit for jobs on one host: core/hostshm and no network. The extended
// API accesses mapped memory directly, and sends no messages for it. The memory
// of other supernodes is not mapped. Under GASNET_SEGMENT_EVERYTHING, no memory
// is mapped. The extended API uses the reference implementation over active
// messages for memory that is not mapped.
//
// GASNET_REFERENCE=1 hides the mapped memory and the barrier. Then all of the
// reference implementation runs, as it does over networks.
#ifndef CONDUITS_SMP_SMP_CONDUIT_H_
#define CONDUITS_SMP_SMP_CONDUIT_H_

#include "core/runtime/conduit.h"

namespace gasnet::smp {

// The exported functions of a library (export/linked_library.inc) refer to the
// conduit by this symbol name.
extern const Conduit kConduit __asm__("gasneti_core_conduit_smp");

}  // namespace gasnet::smp

#endif  // CONDUITS_SMP_SMP_CONDUIT_H_
