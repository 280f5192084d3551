// Counters, of any process's interface, that have made operations due. This
// thread remembers them until it holds no lock and runs the operations
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
// The number of counters remembered. One load tells a thread if anything is
// due.
extern thread_local constinit uint32_t due_count;
}  // namespace internal

inline bool AnythingDue() { return internal::due_count != 0; }

// Changes a counter of the owner, if there is one, and remembers it if that
// makes an operation due.
void Count(Peer& owner, Ref ct, uint64_t success, uint64_t failure);

void NoteDue(Peer& owner, uint32_t ct);
// Removes one counter. Returns false if nothing is due.
bool TakeDue(Due& due);
// Forgets all counters. Called before their owners are destroyed.
void ForgetDue();

}  // namespace gasnet::portals4

#endif  // PORTALS_ENGINE_DUE_H_
