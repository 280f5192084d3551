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

  // Begins an operation on a rank. Reports its end as Initiate does. If
  // `waits`, the caller may be kept until there is room.
  virtual void Begin(uint32_t rank, uint64_t physical, Peer& owner,
                     const Request& request, const Operation& operation,
                     bool waits) = 0;
  // Takes in datagrams that have arrived. Returns false if polling never brings
  // any.
  virtual bool Poll() = 0;
  // Says that a thread that has polled now goes to sleep: another thread takes
  // in datagrams at once from now on.
  virtual void LeaveToOthers() = 0;
  // Blocks until all datagrams that this process has sent have arrived, or the
  // time for that is over.
  virtual void Drain() = 0;
  // Pause and Resume enclose a time in which interfaces may go: nothing is
  // carried then. Forget, in between, ends all operations under way.
  virtual void Pause() = 0;
  virtual void Forget() = 0;
  virtual void Resume() = 0;
};

}  // namespace gasnet::portals4

#endif  // PORTALS_API_CARRIER_H_
