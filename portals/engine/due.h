// Counters that have made something due, of any process's interface, remembered
// by this thread until it holds no lock and runs what waits for them
// (engine/trigger.h).
#ifndef PORTALS_ENGINE_DUE_H_
#define PORTALS_ENGINE_DUE_H_

#include <cstdint>

#include "portals/engine/operation.h"

namespace gasnet::portals4 {

struct Due {
  Peer* owner;
  uint32_t ct;  // slot
};

namespace internal {
// So that a thread with nothing due is told by one load.
extern thread_local constinit uint32_t due_count;
}  // namespace internal

inline bool AnythingDue() { return internal::due_count != 0; }

// Changes a counter of the owner's, if there is one, and remembers it if that
// makes something due.
void Count(Peer& owner, Ref ct, uint64_t success, uint64_t failure);

void NoteDue(Peer& owner, uint32_t ct);
// False: nothing is due.
bool TakeDue(Due& due);
// Before their owners go.
void ForgetDue();

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_DUE_H_
