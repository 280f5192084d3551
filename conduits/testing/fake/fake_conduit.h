// A conduit for tests: ranks of one host that do not share memory, over a
// network whose transfers are simulated, and as difficult as the contract
// permits (fake_network.h). It shows that the layers above honour the contract,
// and is the example for a conduit with such transfers (docs/PORTING.md).
#ifndef CONDUITS_TESTING_FAKE_FAKE_CONDUIT_H_
#define CONDUITS_TESTING_FAKE_FAKE_CONDUIT_H_

#include "core/runtime/conduit.h"

namespace gasnet::fake {

// The symbol has a name that the front of a library knows
// (export/linked_library.inc).
extern const Conduit kConduit __asm__("gasneti_core_conduit_fake");

}  // namespace gasnet::fake

#endif  // CONDUITS_TESTING_FAKE_FAKE_CONDUIT_H_
