// Ends the job if no rank of a correct job could have sent a packet.
#ifndef VIS_PACKET_CHECK_H_
#define VIS_PACKET_CHECK_H_

#include "core/rank.h"
#include "vis/packet.h"

namespace gasnet::vis {

[[noreturn]] void RefusePacket(const VisPacket::Refusal& refusal, Rank source,
                               const char* what);

// Ends the job if a packet was refused. `refusal` is the result of
// VisPacket::Check. `what` is "put" or "get".
inline void RequireGood(const VisPacket::Refusal& refusal, Rank source,
                        const char* what) {
  if (refusal.why != nullptr) [[unlikely]]
    RefusePacket(refusal, source, what);
}

}  // namespace gasnet::vis

#endif  // VIS_PACKET_CHECK_H_
