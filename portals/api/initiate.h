// An operation at its initiator: from a memory descriptor and arguments to the
// events of the descriptor. Run by the caller, or, of a triggered operation, on
// the owner's behalf by any process.
#ifndef PORTALS_API_INITIATE_H_
#define PORTALS_API_INITIATE_H_

#include <cstdint>

#include "portals/engine/operation.h"
#include "portals4.h"

namespace gasnet::portals4 {

// What the initiator's end of an operation needs besides the operation.
struct Request {
  const MdRecord* put_md = nullptr;  // null for a get
  const MdRecord* get_md = nullptr;  // null for a put
  uint32_t ack = PTL_NO_ACK_REQ;
  uint64_t user_ptr = 0;
};

// The memory of a descriptor of the owner's.
Extent MemoryOf(Peer& owner, const MdRecord& md);

// Does the operation and posts and counts at the owner. `target` null: nobody
// is there.
void Initiate(Peer& owner, const Request& request, Operation& operation,
              Peer* target);

// Posts and counts alone.
void Tell(Peer& owner, const Request& request, uint64_t length,
          const Outcome& outcome);

// Runs what has come due in this thread.
void RunDueTriggers();

}  // namespace gasnet::portals4

#endif  // PORTALS_API_INITIATE_H_
