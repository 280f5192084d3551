// The conduit for jobs on one host: core/hostshm and no network. The extended
// API uses mapped memory directly and never sends a message for it. Only memory
// that is not mapped (another supernode, or everything under
// GASNET_SEGMENT_EVERYTHING) is reached by the reference implementation over
// active messages.
//
// GASNET_REFERENCE=1 hides the mapped memory and the barrier, so that the whole
// reference implementation runs, which networks are built on.
#ifndef CONDUITS_SMP_SMP_CONDUIT_H_
#define CONDUITS_SMP_SMP_CONDUIT_H_

#include "core/runtime/conduit.h"

namespace gasnet::smp {

// The symbol has a name that the front of a library knows
// (export/linked_library.inc).
extern const Conduit kConduit __asm__("gasneti_core_conduit_smp");

}  // namespace gasnet::smp

#endif  // CONDUITS_SMP_SMP_CONDUIT_H_
