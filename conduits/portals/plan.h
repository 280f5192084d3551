// How much memory and how many events messages take, for so many peers.
//
// A credit stands for 256 bytes of receive buffer and a place in the queue of
// requests. Of the receive buffers one may wait to be refreshed, and of each the
// last chunk is never filled, since a buffer is full when less than a chunk is
// left: what remains is lent to peers, or banked.
#ifndef CONDUITS_PORTALS_PLAN_H_
#define CONDUITS_PORTALS_PLAN_H_

#include <cstddef>
#include <cstdint>

#include "base/status.h"
#include "conduits/portals/settings.h"

namespace gasnet::portals {

inline constexpr size_t kCreditBytes = 256;

// What a message with such a body costs.
inline uint8_t CreditsFor(size_t bytes) {
  return bytes == 0
             ? uint8_t{1}
             : static_cast<uint8_t>((bytes + kCreditBytes - 1) / kCreditBytes);
}

struct Plan {
  uint32_t peers = 0;
  uint32_t chunk = 0;  // bytes
  uint32_t least_credits = 0;  // of the largest message
  uint32_t credits_each = 0;   // a peer's at the start
  uint32_t bank = 0;
  uint32_t buffers = 0;
  size_t buffer_bytes = 0;
  size_t safe_events = 0;
  size_t request_events = 0;
  size_t system_events = 0;

  // Fails where GASNET_PORTAL_AMRECV_SPACE is too small for that many peers.
  static StatusOr<Plan> For(uint32_t peers, const Settings& settings);
};

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_PLAN_H_
