// The conduit for jobs on one host: core/hostshm and no network. The extended
// API accesses mapped memory directly and never sends a message for it. The
// reference implementation over active messages is used only for memory that is
// not mapped: of another supernode, or all memory under
// GASNET_SEGMENT_EVERYTHING.
//
// GASNET_REFERENCE=1 hides the mapped memory and the barrier, so that all of
// the reference implementation runs, as it does over networks.
#ifndef CONDUITS_SMP_SMP_CONDUIT_H_
#define CONDUITS_SMP_SMP_CONDUIT_H_

#include "core/runtime/conduit.h"

namespace gasnet::smp {

// The front of a library refers to this symbol name
// (export/linked_library.inc).
extern const Conduit kConduit __asm__("gasneti_core_conduit_smp");

}  // namespace gasnet::smp

#endif  // CONDUITS_SMP_SMP_CONDUIT_H_
