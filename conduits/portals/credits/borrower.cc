// The borrower's side of credits. The borrower sends requests, and returns
// credits when the lender asks for them.
#include <algorithm>

#include "conduits/portals/credits/credit_byte.h"
#include "conduits/portals/credits/credits.h"

namespace gasnet::portals_conduit::credits {

void Credits::NoteStall(PeerCredits& peer, unsigned used, unsigned left) {
  if (peer.need == 0) {
    Count(peer.stalls);
    ++counters_.stalls;
  }
  peer.need = static_cast<uint8_t>(std::max<unsigned>(peer.need, used));
  if (used > left) {
    peer.missed =
        static_cast<uint8_t>(std::max<unsigned>(peer.missed, used - left));
  }
}

std::optional<uint8_t> Credits::Take(Rank rank, unsigned used) {
  if (settings_.mode == Mode::kOff) return uint8_t{0};
  PeerCredits& peer = Touch(rank);
  const unsigned left = peer.send - peer.in_use;
  if (std::max<unsigned>(used, peer.need) > left) {
    NoteStall(peer, used, left);
    return std::nullopt;
  }
  peer.in_use = static_cast<uint16_t>(peer.in_use + used);
  peer.send_max = std::max(peer.send_max, peer.in_use);
  CreditByte byte = {.used = static_cast<uint8_t>(used)};
  if (settings_.mode == Mode::kDynamic) {
    byte.epoch = TakeEpoch(peer);
    byte.extra =
        static_cast<uint8_t>(std::min<unsigned>(kMaxExtra, peer.missed));
  }
  peer.need = peer.missed = 0;
  ++counters_.requests_sent;
  return byte.Wire();
}

const char* Credits::ReplyArrived(Rank rank, uint8_t request, uint8_t reply) {
  if (settings_.mode == Mode::kOff) {
    return reply == 0 ? nullptr : Refuse("has credits, but credits are off");
  }
  const CreditByte taken = CreditByte::Of(request);
  const CreditByte byte = CreditByte::Of(reply);
  PeerCredits& peer = Touch(rank);
  if (const char* const why = WhyNot(peer, byte.epoch, byte.extra)) {
    return Refuse(why);
  }
  if (byte.used != taken.used) {
    return Refuse("gives back another number of credits than the request used");
  }
  if (byte.used > peer.in_use) {
    return Refuse("gives back more credits than are in use");
  }
  if (byte.extra != 0 && byte.extra != taken.extra) {
    return Refuse("lends another number of credits than was asked for");
  }
  if (peer.send + byte.extra > settings_.max_per_node) {
    return Refuse("lends more credits than a rank may have");
  }
  if (byte.epoch) DecaySend(peer);
  peer.in_use = static_cast<uint16_t>(peer.in_use - byte.used);
  peer.send = static_cast<uint16_t>(peer.send + byte.extra);
  counters_.borrowed += byte.extra;
  return nullptr;
}

uint16_t Credits::CanReturn(const PeerCredits& peer) const {
  if (peer.stalls > 0 || peer.revoked >= settings_.revoke_limit) return 0;
  const uint16_t kept = std::max({start_.least, peer.send_max, peer.in_use});
  if (peer.send <= kept) return 0;
  return static_cast<uint16_t>(std::min<unsigned>(
      peer.send - kept, settings_.revoke_limit - peer.revoked));
}

const char* Credits::RevokeArrived(Rank rank, bool epoch,
                                   CreditAnswer* answer) {
  PeerCredits& peer = Touch(rank);
  if (settings_.mode != Mode::kDynamic) {
    return Refuse("asks for credits, but credits are static");
  }
  if (const char* const why = WhyNot(peer, epoch, 0)) return Refuse(why);
  if (epoch) DecaySend(peer);
  const uint16_t returned = CanReturn(peer);
  peer.send = static_cast<uint16_t>(peer.send - returned);
  peer.revoked = static_cast<uint16_t>(peer.revoked + returned);
  counters_.returned += returned;
  ++counters_.revokes_answered;
  *answer = {.returned = returned, .epoch = TakeEpoch(peer)};
  return nullptr;
}

}  // namespace gasnet::portals_conduit::credits
