// Counters that have made operations due. They may belong to the interface of
// any process. A thread remembers the counters until it holds no lock, and then
// runs the operations (engine/trigger.h).
#ifndef PORTALS_ENGINE_DUE_H_
#define PORTALS_ENGINE_DUE_H_

#include <cstdint>

#include "portals/engine/operation.h"

namespace gasnet::portals4 {

struct Due {
  Peer* owner;
  uint32_t ct;  // Slot of the counter.
};

namespace internal {
// The number of counters that this thread remembers. So one load tells a thread
// if anything is due.
extern thread_local constinit uint32_t due_count;
}  // namespace internal

inline bool AnythingDue() { return internal::due_count != 0; }

// Changes a counter of the owner, unless `ct` is kNoRef. Remembers the counter
// if this makes an operation due.
void Count(Peer& owner, Ref ct, uint64_t success, uint64_t failure);

void NoteDue(Peer& owner, uint32_t ct);
// Removes one counter and stores it in `due`. Returns false if nothing is due.
bool TakeDue(Due& due);
// Forgets all counters of this thread. Call it before their owners are
// destroyed.
void ForgetDue();

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_DUE_H_
