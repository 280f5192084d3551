// Payloads that are larger than a chunk. Their targets fetch them. The sender
// copies the payload to a buffer and sends a message that names the buffer. The
// target gets the payload (fetches.h), and Portals reports the get to the
// sender.
//
//   free --Take--> the sender's --Begin--> offered --fetched, or its peer is
//     ^                                                 |        given up on
//     `-------------------------------------------------'
//
// Requests and replies have separate buffers, so replies wait for no request.
// Every waiting rank handles replies, so the buffers of replies come back. The
// buffers are one piece of memory that peers may read. Unused buffers are not
// touched. Thread-safe.
#ifndef CONDUITS_PORTALS_OFFERS_H_
#define CONDUITS_PORTALS_OFFERS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "conduits/portals/conduit_interface.h"
#include "conduits/portals/memory.h"
#include "conduits/portals/pool.h"
#include "conduits/portals/tuning.h"
#include "core/lane.h"
#include "core/rank.h"
#include "core/thread/word.h"

namespace gasnet::portals_conduit {

class Offers {
 public:
  explicit Offers(ConduitInterface& interface) : interface_(interface) {}

  // Maps the memory, and appends the Portals entry that covers this memory.
  absl::Status Start() {
    const absl::Status mapped = memory_.Map(bytes());
    if (!mapped.ok()) return mapped;
    return interface_.Append({.table = PortalTable::kOffers,
                              .start = memory_.base(),
                              .length = bytes(),
                              .options = PTL_ME_OP_GET});
  }

  // Takes a buffer and returns its index. Returns nullopt if none is free.
  std::optional<uint32_t> Take(Lane lane) {
    Pool<Offer>& pool = pools_[static_cast<size_t>(lane)];
    const Offer* const taken = pool.Take();
    if (taken == nullptr) return std::nullopt;
    return static_cast<uint32_t>(static_cast<size_t>(lane) * kOffersEach +
                                 pool.IndexOf(*taken));
  }
  std::byte* At(uint32_t index) {
    return memory_.base() + index * kFetchedBytes;
  }
  // Offers the buffer to the peer. Called before the message that names the
  // buffer is sent.
  void Begin(uint32_t index, Rank peer, size_t nbytes) {
    Offer& offer = OfferAt(index);
    offer.peer.store(peer, std::memory_order_relaxed);
    offer.nbytes.store(static_cast<uint32_t>(nbytes),
                       std::memory_order_release);
  }

  // Ends the offer of `nbytes` bytes: the payload or a part of it. Frees the
  // buffer after the last part. Returns false if fewer bytes are offered.
  bool End(uint32_t index, size_t nbytes) {
    Offer& offer = OfferAt(index);
    for (;;) {
      const uint32_t left = offer.nbytes.load(std::memory_order_acquire);
      if (nbytes == 0 || nbytes > left) return false;
      const uint32_t rest = left - static_cast<uint32_t>(nbytes);
      if (!thread::Replace(offer.nbytes, left, rest,
                           std::memory_order_acq_rel)) {
        continue;
      }
      if (rest == 0) PoolOf(index).Give(offer);
      return true;
    }
  }

  // Handles the event of a get of all or part of a payload. Returns false if
  // these bytes were not offered to the peer, or the peer was given up on.
  bool Fetched(const ptl_event_t& event) {
    const size_t at = event.remote_offset;
    if (at >= bytes()) return false;
    const auto index = static_cast<uint32_t>(at / kFetchedBytes);
    const Offer& offer = OfferAt(index);
    return offer.peer.load(std::memory_order_relaxed) ==
               static_cast<Rank>(event.initiator.rank) &&
           End(index, event.mlength);
  }
  // Takes back the offers to peers for which is_given_up returns true.
  template <class Predicate>
  void TakeBack(Predicate is_given_up) {
    ForAll([&](uint32_t index, Rank peer, uint32_t nbytes) {
      if (is_given_up(peer)) End(index, nbytes);
    });
  }

  // Returns true if an offer to a peer for which is_one returns true has not
  // yet been fetched.
  template <class Predicate>
  bool IsOfferedTo(Predicate is_one) {
    bool any = false;
    ForAll([&](uint32_t, Rank peer, uint32_t) { any = any || is_one(peer); });
    return any;
  }

 private:
  static constexpr size_t kOffers = kLanes * kOffersEach;

  static constexpr size_t bytes() { return kOffers * kFetchedBytes; }

  struct Offer {
    std::atomic<Rank> peer{0};
    std::atomic<uint32_t> nbytes{0};  // bytes not fetched yet; 0: not offered
  };

  Pool<Offer>& PoolOf(uint32_t index) { return pools_[index / kOffersEach]; }
  Offer& OfferAt(uint32_t index) {
    return PoolOf(index).at(index % kOffersEach);
  }
  template <class Visit>
  void ForAll(Visit visit) {
    for (uint32_t index = 0; index < kOffers; ++index) {
      const Offer& offer = OfferAt(index);
      const uint32_t nbytes = offer.nbytes.load(std::memory_order_acquire);
      if (nbytes > 0) {
        visit(index, offer.peer.load(std::memory_order_relaxed), nbytes);
      }
    }
  }

  ConduitInterface& interface_;
  Buffers memory_;
  std::array<Pool<Offer>, kLanes> pools_ = {Pool<Offer>(kOffersEach),
                                            Pool<Offer>(kOffersEach)};
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_OFFERS_H_
