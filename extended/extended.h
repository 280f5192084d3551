// The extended API (spec 3), written once for all conduits:
//
// - front.h: the functions that the C functions call: checks, and transfers
//   of zero bytes
// - transfers.h: mapped memory, the network's own transfers, or messages
// - native.h: transfers by the network itself
// - reference.h: transfers by active messages
// - attempt.h: operations of calls that may not wait
// - sync.h: waiting for operations, and testing them
// - operations.h: the operations of a thread; operation.h has their records
// - barriers.h: barriers
#ifndef EXTENDED_EXTENDED_H_
#define EXTENDED_EXTENDED_H_

#include "core/runtime/runtime.h"
#include "extended/backlog.h"
#include "extended/barriers.h"
#include "extended/front.h"
#include "extended/native.h"
#include "extended/record_table.h"
#include "extended/reference.h"

namespace gasnet::extended {

class Extended {
 public:
  // Registers all handlers. gasnet_attach calls it before messages can arrive.
  static void RegisterHandlers() {
    runtime->Make<RecordTable>();
    runtime->Make<Native>();
    runtime->Make<Backlog>();
    runtime->Make<Barriers>();
    Reference::RegisterHandlers(runtime->engine().handlers());
  }

  // Starts the layer (export/layers.h).
  static void Start() {
    Native::Mine().Start();
    Barriers::Mine().Start();
  }
};

}  // namespace gasnet::extended

#endif  // EXTENDED_EXTENDED_H_
