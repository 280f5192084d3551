// All conduits in one library: the job says which it uses when it starts
// (choice.h).
#ifndef CONDUITS_ANY_ANY_CONDUIT_H_
#define CONDUITS_ANY_ANY_CONDUIT_H_

#include "core/runtime/conduit.h"

namespace gasnet::any {

extern const Conduit kConduit;

}  // namespace gasnet::any

#endif  // CONDUITS_ANY_ANY_CONDUIT_H_
