// The conduit that contains all other conduits. When a job starts, it chooses
// one of them to carry the job (choice.h).
#ifndef CONDUITS_ANY_ANY_CONDUIT_H_
#define CONDUITS_ANY_ANY_CONDUIT_H_

#include "core/runtime/conduit.h"

namespace gasnet::any {

// The public functions of a library refer to the conduit by this symbol name
// (export/linked_library.inc).
extern const Conduit kConduit __asm__("gasneti_core_conduit_any");

}  // namespace gasnet::any

#endif  // CONDUITS_ANY_ANY_CONDUIT_H_
