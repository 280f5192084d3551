// An operation at its initiator: from a memory descriptor and arguments to the
// events of the descriptor. Run by the caller, or, of a triggered operation, on
// the owner's behalf by any process. An operation by datagrams is only begun
// here, and its events are delivered when its answer comes.
#ifndef PORTALS_API_INITIATE_H_
#define PORTALS_API_INITIATE_H_

#include <cstdint>

#include "portals/engine/operation.h"
#include "portals4.h"

namespace gasnet::portals4 {

class Interface;

// The part of the initiator's end of an operation that is not the operation.
struct Request {
  const MdRecord* put_md = nullptr;  // null for a get
  const MdRecord* get_md = nullptr;  // null for a put
  Ref put_ref = kNoRef;              // the same, for who keeps them
  Ref get_ref = kNoRef;
  uint32_t ack = PTL_NO_ACK_REQ;
  uint64_t user_ptr = 0;
};

// Does the operation and posts and counts at the owner. `target` null: nobody
// is there.
void Initiate(Peer& owner, const Request& request, Operation& operation,
              Peer* target);

// Whether datagrams carry operations on `physical`; then it has been begun.
// `waits`: the caller may be kept until there is room.
bool Carry(Peer& owner, const Request& request, Operation& operation,
           uint64_t physical, bool waits);

// The part of an operation's end that its initiator can notice, by events and
// counters of the descriptors.
enum class Notices : uint8_t { kNothing, kFailure, kEnd };
Notices NoticesOf(const Request& request);

// The source may be reused: it was copied, or nobody will. Not of a get.
void ReportSent(Peer& owner, const Request& request, uint64_t length);
// The operation is over.
void ReportDone(Peer& owner, const Request& request, const Outcome& outcome);
// Both.
void Report(Peer& owner, const Request& request, uint64_t length,
            const Outcome& outcome);

// Runs what has come due in this thread.
void RunDueTriggers();
// The same of all counters of an interface of this process: what is due there
// may have nobody who runs it, since its runner has died.
void RunAbandonedTriggers(Interface& interface);

}  // namespace gasnet::portals4

#endif  // PORTALS_API_INITIATE_H_
