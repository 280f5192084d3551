// Ranks with credits, for tests of lenders and borrowers.
#ifndef CONDUITS_PORTALS_CREDITS_TEST_PEERS_H_
#define CONDUITS_PORTALS_CREDITS_TEST_PEERS_H_

#include <cstdint>

#include "conduits/portals/credits/credit_byte.h"
#include "conduits/portals/credits/credits.h"

namespace gasnet::portals_conduit::credits {

inline constexpr uint16_t kMin = 4;
inline constexpr uint16_t kEach = 10;

// Returns the credits of rank `self` of three ranks. Each rank starts with
// `each` credits at each other rank.
inline Credits NewRank(Rank self, const CreditSettings& settings = {},
                       uint32_t bank = 100, uint16_t each = kEach) {
  return Credits(
      {.ranks = 3, .self = self, .least = kMin, .per_node = each, .bank = bank},
      settings);
}

inline uint8_t Wire(bool epoch, uint8_t extra, uint8_t used) {
  return CreditByte{.epoch = epoch, .extra = extra, .used = used}.Wire();
}

// Serves a request of rank `peer`. Returns the credit byte of the reply.
inline CreditByte Serve(Credits& lender, Rank peer, uint8_t request) {
  if (lender.RequestArrived(peer, request) != nullptr) return {};
  return CreditByte::Of(lender.ReplyTo(peer, request));
}

}  // namespace gasnet::portals_conduit::credits

#endif  // CONDUITS_PORTALS_CREDITS_TEST_PEERS_H_
