// Counters that have made operations due. The counters may belong to the
// interface of any process. A thread remembers the counters until it holds no
// lock, and then runs the operations (engine/trigger.h).
#ifndef PORTALS_ENGINE_DUE_H_
#define PORTALS_ENGINE_DUE_H_

#include <cstdint>

#include "portals/engine/operation.h"

namespace gasnet::portals4 {

struct Due {
  PeerInterface* owner;
  uint32_t ct;  // slot of the counter
};

namespace internal {
// The number of counters that this thread remembers. AnythingDue needs only one
// load of it.
extern thread_local constinit uint32_t due_count;
}  // namespace internal

inline bool AnythingDue() { return internal::due_count != 0; }

// Adds to a counter of the owner, unless `ct` is kNoRef. Remembers the counter
// if the new value makes an operation due.
void Count(PeerInterface& owner, Ref ct, uint64_t success, uint64_t failure);

void NoteDue(PeerInterface& owner, uint32_t ct);
// Removes the oldest counter of this thread and stores it in `due`. Returns
// false if there is none.
bool TakeDue(Due& due);
// Forgets all counters of this thread. Call it before the owners of these
// counters are destroyed.
void ForgetDue();

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_DUE_H_
