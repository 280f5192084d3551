// Carries operations to ranks that this one shares no memory with
// (datagram/transport.h). Any thread may call it.
#ifndef PORTALS_API_CARRIER_H_
#define PORTALS_API_CARRIER_H_

#include <cstdint>

#include "portals/api/initiate.h"
#include "portals/engine/operation.h"

namespace gasnet::portals4 {

class Carrier {
 public:
  virtual ~Carrier() = default;

  // Begins an operation on a rank; its end is reported as Initiate reports it.
  // `waits`: the caller may be kept until there is room.
  virtual void Begin(uint32_t rank, uint64_t physical, Peer& owner,
                     const Request& request, const Operation& operation,
                     bool waits) = 0;
  // Takes in what has arrived. Returns false if nothing arrives by polling.
  virtual bool Poll() = 0;
  // A thread that has polled sleeps in a wait from now on: somebody else is to
  // take in what arrives, at once.
  virtual void LeaveToOthers() = 0;
  // Returns when all that this process has sent has arrived, or the time for
  // that is over.
  virtual void Drain() = 0;
  // Interfaces may be about to go: between Pause and Resume nothing is carried,
  // and Forget, in between, is the end of what is under way.
  virtual void Pause() = 0;
  virtual void Forget() = 0;
  virtual void Resume() = 0;
};

}  // namespace gasnet::portals4

#endif  // PORTALS_API_CARRIER_H_
