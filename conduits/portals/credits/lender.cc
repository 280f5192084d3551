// The lender's side of credits. The lender serves requests, lends credits on
// top, and asks for idle credits.
#include <algorithm>

#include "conduits/portals/credits/credit_byte.h"
#include "conduits/portals/credits/credits.h"
#include "conduits/portals/credits/tuning.h"

namespace gasnet::portals_conduit::credits {

const char* Credits::RequestArrived(Rank rank, uint8_t request) {
  if (settings_.mode == Mode::kOff) {
    return request == 0 ? nullptr : Refuse("has credits, but credits are off");
  }
  const CreditByte byte = CreditByte::Of(request);
  PeerCredits& peer = Touch(rank);
  if (const char* const why = WhyNot(peer, byte.epoch, byte.extra)) {
    return Refuse(why);
  }
  if (byte.used == 0) return Refuse("uses no credits");
  if (byte.used > start_.least) {
    return Refuse("uses more credits than the largest message");
  }
  if (byte.used + peer.serving > peer.loan) {
    return Refuse("uses more credits than it was lent");
  }
  if (byte.epoch) DecaySend(peer);
  peer.serving = static_cast<uint16_t>(peer.serving + byte.used);
  return nullptr;
}

uint8_t Credits::LoanFor(PeerCredits& peer, uint8_t wanted) {
  ++counters_.asked_for;
  Count(peer.loan_requested);
  if (peer.loan_given > settings_.lender_limit ||
      peer.loan + wanted > settings_.max_per_node) {
    return 0;
  }
  const bool is_there = wanted <= bank_;
  if (is_there) {
    bank_ -= wanted;
    peer.loan = static_cast<uint16_t>(peer.loan + wanted);
    peer.loan_given = static_cast<uint16_t>(peer.loan_given + wanted);
    counters_.lent += wanted;
  }
  wants_ = bank_ < kLowBank;
  return is_there ? wanted : uint8_t{0};
}

void Credits::CountServed() {
  ++counters_.requests_served;
  if (++served_ < settings_.epoch_duration) return;
  served_ = 0;
  ++epoch_;
  ++counters_.epochs;
  scavenger_.EpochEnded();
}

uint8_t Credits::ReplyTo(Rank rank, uint8_t request) {
  if (settings_.mode == Mode::kOff) return 0;
  const CreditByte asked = CreditByte::Of(request);
  PeerCredits& peer = Touch(rank);
  peer.serving = static_cast<uint16_t>(peer.serving - asked.used);
  CreditByte byte = {.used = asked.used};
  if (asked.extra > 0) byte.extra = LoanFor(peer, asked.extra);
  if (settings_.mode == Mode::kDynamic) {
    byte.epoch = TakeEpoch(peer);
    CountServed();
  }
  return byte.Wire();
}

bool Credits::MayBeAsked(const PeerCredits& peer) const {
  return (peer.flags & (kExcluded | kRevokeInFlight)) == 0 &&
         peer.loan > start_.least && peer.loan_requested == 0;
}

Revokes Credits::Scavenge() {
  Revokes revokes;
  wants_ = false;
  scavenger_.Walk(std::min<unsigned>(settings_.num_scavenge, Revokes::kMax),
                  [&](Rank rank) {
                    if (!MayBeAsked(Look(rank))) return false;
                    PeerCredits& peer = Touch(rank);
                    peer.flags |= kRevokeInFlight;
                    ++counters_.revokes_sent;
                    revokes.to[revokes.count++] = {rank, TakeEpoch(peer)};
                    return true;
                  });
  return revokes;
}

const char* Credits::ReturnArrived(Rank rank, CreditAnswer answer) {
  PeerCredits& peer = Touch(rank);
  if ((peer.flags & kRevokeInFlight) == 0) {
    return Refuse("answers, although nothing was asked");
  }
  if (answer.returned > settings_.revoke_limit) {
    return Refuse("returns more credits than the limit");
  }
  if (answer.returned + std::max(start_.least, peer.serving) > peer.loan) {
    return Refuse("returns credits that it cannot spare");
  }
  peer.flags &= static_cast<uint8_t>(~kRevokeInFlight);
  if (answer.epoch) DecaySend(peer);
  peer.loan = static_cast<uint16_t>(peer.loan - answer.returned);
  bank_ += answer.returned;
  if (answer.returned > 0) scavenger_.WasWorthIt();
  counters_.regained += answer.returned;
  return nullptr;
}

}  // namespace gasnet::portals_conduit::credits
