// All conduits in one library. When a job starts, it chooses the one that it
// uses (choice.h).
#ifndef CONDUITS_ANY_ANY_CONDUIT_H_
#define CONDUITS_ANY_ANY_CONDUIT_H_

#include "core/runtime/conduit.h"

namespace gasnet::any {

// The symbol has a name that the front of a library knows
// (export/linked_library.inc).
extern const Conduit kConduit __asm__("gasneti_core_conduit_any");

}  // namespace gasnet::any

#endif  // CONDUITS_ANY_ANY_CONDUIT_H_
