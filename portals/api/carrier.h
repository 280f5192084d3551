// Carries operations to ranks that share no memory with this one
// (datagram/transport.h). Any thread may call the carrier.
#ifndef PORTALS_API_CARRIER_H_
#define PORTALS_API_CARRIER_H_

#include <cstdint>

#include "portals/api/initiate.h"
#include "portals/engine/operation.h"

namespace gasnet::portals4 {

class Carrier {
 public:
  virtual ~Carrier() = default;

  // Begins an operation on a rank. The carrier later reports the operation's
  // end, as Initiate does. If `waits` is true, may block until there is room to
  // send.
  virtual void Begin(uint32_t rank, uint64_t physical, PeerInterface& owner,
                     const InitiatorRequest& request,
                     const PortalsOperation& operation, bool waits) = 0;
  // Receives datagrams that have arrived. Returns false if Poll of this carrier
  // never receives any. The caller then need not poll again.
  virtual bool Poll() = 0;
  // Announces that a thread that has polled goes to sleep now. After this call,
  // another thread receives datagrams as soon as they arrive.
  virtual void LeaveToOthers() = 0;
  // Blocks until all datagrams that this process has sent have arrived, or a
  // time limit has passed.
  virtual void Drain() = 0;
  // Pause suspends the carrier, and Resume restarts it. Between the two calls,
  // interfaces may be closed, and the carrier carries nothing. Forget is called
  // between them, and ends all operations under way.
  virtual void Pause() = 0;
  virtual void Forget() = 0;
  virtual void Resume() = 0;
};

}  // namespace gasnet::portals4

#endif  // PORTALS_API_CARRIER_H_
