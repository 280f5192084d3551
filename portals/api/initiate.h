// Runs an operation at its initiator. An operation begins with a memory
// descriptor and arguments, and ends with the descriptor's events. Usually the
// calling process runs it. Any process may run a triggered operation, on the
// owner's behalf. If datagrams carry an operation, it only begins here, and its
// events are delivered when its answer arrives.
#ifndef PORTALS_API_INITIATE_H_
#define PORTALS_API_INITIATE_H_

#include <cstdint>

#include "portals/engine/operation.h"
#include "portals4.h"

namespace gasnet::portals4 {

class Interface;

// The initiator's data of an operation that is not part of PortalsOperation.
struct InitiatorRequest {
  const MdRecord* put_md = nullptr;  // null for a get
  const MdRecord* get_md = nullptr;  // null for a put
  // put_ref and get_ref name the descriptors.
  Ref put_ref = kNoRef;
  Ref get_ref = kNoRef;
  uint32_t ack = PTL_NO_ACK_REQ;
  uint64_t user_ptr = 0;
};

// Does the operation. Posts its events and counts them at the owner. `target`
// is null if the target process does not exist.
void Initiate(PeerInterface& owner, const InitiatorRequest& request,
              PortalsOperation& operation, PeerInterface* target);

// Begins the operation if datagrams carry operations on `physical`, and returns
// true. If not, returns false. If `waits` is true, may block until there is
// room to send.
bool Carry(PeerInterface& owner, const InitiatorRequest& request,
           PortalsOperation& operation, uint64_t physical, bool waits);

// The stage of an operation about which the initiator's descriptors notify the
// program by events and counters.
enum class Notices : uint8_t { kNothing, kFailure, kEnd };
Notices NoticesOf(const InitiatorRequest& request);

// Reports that the source may be reused, because it was copied or will not be
// read. Not for gets.
void ReportSent(PeerInterface& owner, const InitiatorRequest& request,
                uint64_t length);
// Reports that the operation is over.
void ReportDone(PeerInterface& owner, const InitiatorRequest& request,
                const Outcome& outcome);
// Does ReportSent and ReportDone.
void Report(PeerInterface& owner, const InitiatorRequest& request,
            uint64_t length, const Outcome& outcome);

// Runs the operations that this thread has made due.
void RunDueTriggers();
// Runs the due operations of all counters of an interface of this process.
// Normally the thread that made an operation due runs it. If that thread has
// died, only this call runs the operation.
void RunAbandonedTriggers(Interface& interface);

}  // namespace gasnet::portals4

#endif  // PORTALS_API_INITIATE_H_
