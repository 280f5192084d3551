// A rank's record of its credits with another rank, the peer. `loan` counts the
// credits that this rank lends to the peer. `send` counts the credits that the
// peer lends to this rank. Some counts decay: an epoch's end divides them by
// four. The counts of the loan decay at the end of this rank's epochs. The
// counts of `send` decay when the peer reports the end of one of its epochs.
#ifndef CONDUITS_PORTALS_CREDITS_PEER_H_
#define CONDUITS_PORTALS_CREDITS_PEER_H_

#include <algorithm>
#include <cstdint>

namespace gasnet::portals_conduit::credits {

// The record of a peer. Each rank has one for every rank of the job, so it must
// be small. A record of zeros belongs to a peer that was never used.
struct PeerCredits {
  // This rank's epoch when the record was last brought up to date; 0 if the
  // record was never brought up to date.
  uint64_t epoch = 0;

  uint16_t loan = 0;
  // credits of the loan in requests without a reply yet
  uint16_t serving = 0;
  uint16_t loan_given = 0;      // decays: credits lent on top
  uint16_t loan_requested = 0;  // decays: requests that asked for more credits

  uint16_t send = 0;
  uint16_t in_use = 0;    // credits of `send` in requests without a reply yet
  uint16_t send_max = 0;  // decays: largest value of in_use
  uint16_t stalls = 0;    // decays: times that sending had to wait
  uint16_t revoked = 0;   // decays: credits given back on request

  // Describe the requests that were turned away after the last request was
  // sent. `need` is the maximum number of credits that one of them needs.
  // `missed` is the maximum number of credits that one of them missed.
  uint8_t need = 0;
  uint8_t missed = 0;
  uint8_t flags = 0;
};

// The bits of PeerCredits::flags.
// asked for credits, no answer yet
inline constexpr uint8_t kRevokeInFlight = 1;
// report an epoch's end with the next message
inline constexpr uint8_t kSendEpoch = 2;
inline constexpr uint8_t kExcluded = 4;  // no credits in either direction

// Increments a counter, unless the counter has its maximum value.
inline void Count(uint16_t& counter) {
  if (counter != UINT16_MAX) ++counter;
}

// Returns the value after `epochs` epochs.
inline uint16_t Decayed(uint16_t value, uint64_t epochs) {
  return static_cast<uint16_t>(value >> std::min<uint64_t>(2 * epochs, 16));
}

// Applies the end of one epoch of the peer. The peer is the lender.
inline void DecaySend(PeerCredits& peer) {
  peer.send_max = Decayed(peer.send_max, 1);
  peer.stalls = Decayed(peer.stalls, 1);
  peer.revoked = Decayed(peer.revoked, 1);
}

// Applies the end of `epochs` epochs of this rank.
inline void DecayLoan(PeerCredits& peer, uint64_t epochs) {
  peer.loan_given = Decayed(peer.loan_given, epochs);
  peer.loan_requested = Decayed(peer.loan_requested, epochs);
}

}  // namespace gasnet::portals_conduit::credits

#endif  // CONDUITS_PORTALS_CREDITS_PEER_H_
