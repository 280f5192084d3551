// A conduit for tests: ranks of one host that share no memory, over a simulated
// network whose transfers are as difficult as the contract permits
// (fake_network.h). It tests that the layers above honour the contract. It is
// also the example of a conduit with native transfers (docs/PORTING.md).
#ifndef CONDUITS_TESTING_FAKE_FAKE_CONDUIT_H_
#define CONDUITS_TESTING_FAKE_FAKE_CONDUIT_H_

#include "core/runtime/conduit.h"

namespace gasnet::fake {

// The front of a library refers to this symbol name
// (export/linked_library.inc).
extern const Conduit kConduit __asm__("gasneti_core_conduit_fake");

}  // namespace gasnet::fake

#endif  // CONDUITS_TESTING_FAKE_FAKE_CONDUIT_H_
