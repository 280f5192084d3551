// Operations that wait for a counter: kept in the owner's memory in the order
// of thresholds, then of calls, and run by whichever process makes the counter
// reach them.
//
// The list is under the counter's lock. The holder of its `runner` takes
// operations that are due from the list one at a time and runs each while it
// holds no other lock; others that make something due meanwhile set `again`,
// and leave it to the runner. So the operations of one counter run in order,
// and once. If the runner dies, the operation that it was at is over, and the
// rest is run by the next process that makes something due, or looks at the
// counter.
#ifndef PORTALS_ENGINE_TRIGGER_H_
#define PORTALS_ENGINE_TRIGGER_H_

#include <cstdint>

#include "portals/engine/operation.h"

namespace gasnet::portals4 {

enum class Action : uint32_t {
  kOperation,  // + Kind
  kCtInc = 16,
  kCtSet,
  kAppend,
  kUnlink,
};

// Links a filled record of the view's behind those of its threshold. Answers
// whether it is due at once.
bool AddTrigger(const View& view, CtRecord& ct, uint32_t slot);

// The descriptors of one that is over, or will not be.
void ReleaseMds(const View& view, const TriggerRecord& record);

// Everything that waits, for a caller that cancels: slots one after the other,
// or 0.
uint32_t TakeAnyTrigger(const View& view, CtRecord& ct);

// Runs what this thread has made due, and what that makes due in turn, up to a
// limit: the rest is left to whoever looks at its counter next. `execute` runs
// one.
using Execute = void (*)(Peer& owner, const TriggerRecord& trigger);
void RunDue(Execute execute);

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_TRIGGER_H_
