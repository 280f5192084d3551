// Ends the job if no rank of a correct job could have sent a packet.
#ifndef VIS_PACKET_CHECK_H_
#define VIS_PACKET_CHECK_H_

#include "core/rank.h"
#include "vis/packet.h"

namespace gasnet::vis {

[[noreturn]] void RefusePacket(const Packet::Refusal& refusal, Rank source,
                               const char* what);

// Ends the job if a packet was refused. `refusal` is the result of
// Packet::Check. `what` is "put" or "get".
inline void RequireGood(const Packet::Refusal& refusal, Rank source,
                        const char* what) {
  if (refusal.why != nullptr) [[unlikely]]
    RefusePacket(refusal, source, what);
}

}  // namespace gasnet::vis

#endif  // VIS_PACKET_CHECK_H_
