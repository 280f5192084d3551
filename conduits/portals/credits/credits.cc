#include "conduits/portals/credits/credits.h"

#include <algorithm>
#include <new>

#include "conduits/portals/credits/credit_byte.h"

namespace gasnet::portals_conduit::credits {
namespace {

// Allocates the records without touching them, because calloc gets fresh zero
// pages from the system. Constructors would touch the records.
PeerCredits* NewPeers(Rank ranks) {
  void* const peers = calloc(ranks, sizeof(PeerCredits));
  if (peers == nullptr) throw std::bad_alloc();
  return static_cast<PeerCredits*>(peers);
}

// Returns the maximum number of ranks that are asked for credits in vain in an
// epoch: an eighth of the requests of an epoch, and at least num_scavenge.
uint32_t TriesOf(const CreditSettings& settings) {
  return std::max<uint32_t>(settings.num_scavenge, settings.epoch_duration / 8);
}

}  // namespace

Credits::Credits(const Start& start, const CreditSettings& settings)
    : start_(start),
      settings_(settings),
      peers_(NewPeers(start.ranks)),
      total_(start.bank + uint64_t{start.per_node} * start.ranks),
      bank_(start.bank),
      scavenger_(start.ranks, TriesOf(settings)) {
  Exclude(start.self);
}

void Credits::Exclude(Rank rank) {
  PeerCredits& peer = peers_[rank];
  peer.epoch = epoch_;
  peer.flags = kExcluded;
  total_ -= start_.per_node;
}

void Credits::BringUpToDate(PeerCredits& peer) const {
  if (peer.epoch == 0) {
    peer.loan = peer.send = start_.per_node;
    peer.epoch = 1;
  }
  if (peer.epoch == epoch_) return;
  DecayLoan(peer, epoch_ - peer.epoch);
  peer.flags |= kSendEpoch;
  peer.epoch = epoch_;
}

PeerCredits& Credits::Touch(Rank rank) {
  PeerCredits& peer = peers_[rank];
  if (peer.epoch != epoch_) BringUpToDate(peer);
  return peer;
}

PeerCredits Credits::Look(Rank rank) const {
  PeerCredits peer = peers_[rank];
  BringUpToDate(peer);
  return peer;
}

bool Credits::TakeEpoch(PeerCredits& peer) {
  const bool tell = (peer.flags & kSendEpoch) != 0;
  peer.flags &= static_cast<uint8_t>(~kSendEpoch);
  return tell;
}

const char* Credits::Refuse(const char* why) {
  ++counters_.refused;
  return why;
}

const char* Credits::WhyNot(const PeerCredits& peer, bool epoch,
                            unsigned extra) const {
  if ((peer.flags & kExcluded) != 0)
    return "has credits, but its sender has none";
  if (settings_.mode == Mode::kStatic && (epoch || extra != 0)) {
    return "moves credits, but credits are static";
  }
  return nullptr;
}

}  // namespace gasnet::portals_conduit::credits
