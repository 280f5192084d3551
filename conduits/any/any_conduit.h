// All conduits in one library: the job says which it uses when it starts
// (choice.h).
#ifndef CONDUITS_ANY_ANY_CONDUIT_H_
#define CONDUITS_ANY_ANY_CONDUIT_H_

#include "core/runtime/conduit.h"

namespace gasnet::any {

// By a name that the front of a library knows (export/linked_library.inc).
extern const Conduit kConduit __asm__("gasneti_core_conduit_any");

}  // namespace gasnet::any

#endif  // CONDUITS_ANY_ANY_CONDUIT_H_
