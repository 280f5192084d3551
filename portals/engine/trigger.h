// Operations that wait for a counter. A list in the owner's memory has them in
// the order of their thresholds. Operations with equal thresholds are in the
// order of their calls. The process that makes the counter reach a threshold
// runs them.
//
// The counter's lock guards the list. The runner is the process that holds the
// counter's `runner` lock. It takes due operations from the list one at a time,
// and holds no other lock while it runs one. Other processes that make
// operations due set `again`, and leave the operations to the runner. So the
// operations of one counter run in order, and once. If the runner dies, its
// current operation is over. The next process that makes an operation due, or
// looks at the counter, runs the rest.
#ifndef PORTALS_ENGINE_TRIGGER_H_
#define PORTALS_ENGINE_TRIGGER_H_

#include <cstdint>

#include "portals/engine/operation.h"

namespace gasnet::portals4 {

enum class Action : uint32_t {
  kOperation,  // kOperation + a OperationKind: an operation of that kind
  kCtInc = 16,
  kCtSet,
  kAppend,
  kUnlink,
};

// Links a filled record of the view into the list, behind records with the same
// threshold. Returns true if an operation in the list is due at once.
bool AddTrigger(const View& view, CtRecord& ct, uint32_t slot);

// Releases the memory descriptors of an operation that is over or cancelled.
void ReleaseMds(const View& view, const TriggerRecord& record);

// Takes any waiting operation from the list, for a caller that cancels it.
// Returns the operation's slot, or 0 if no operation is left.
uint32_t TakeAnyTrigger(const View& view, CtRecord& ct);

// Runs the operations that this thread has made due, and the operations that
// these make due. `execute` runs one operation. Runs at most as many operations
// as an interface can have; the next process that looks at a counter runs the
// rest.
using Execute = void (*)(PeerInterface& owner, const TriggerRecord& trigger);
void RunDue(Execute execute);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_TRIGGER_H_
