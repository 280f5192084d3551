// A conduit for tests. Ranks of one host share no memory, and communicate over
// a simulated network (fake_network.h). Its transfers are as difficult as the
// contract of rma::Rma permits. So they test that the layers above honour the
// contract. This is also the example of a conduit with native transfers
// (docs/PORTING.md).
#ifndef CONDUITS_TESTING_FAKE_FAKE_CONDUIT_H_
#define CONDUITS_TESTING_FAKE_FAKE_CONDUIT_H_

#include "core/runtime/conduit.h"

namespace gasnet::fake {

// The exported functions of a library (export/linked_library.inc) refer to the
// conduit by this symbol name.
extern const Conduit kConduit __asm__("gasneti_core_conduit_fake");

}  // namespace gasnet::fake

#endif  // CONDUITS_TESTING_FAKE_FAKE_CONDUIT_H_
