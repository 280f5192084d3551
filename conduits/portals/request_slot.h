// The record of a chunk for requests. One request after another uses it.
//
//   in the pool --Pool::Take--> the sender's --Begin--> in flight
//       ^                                                   |
//       `--Pool::Give-- the claimer's <-------Claim---------'
//
// The use is a counter. Begin and Claim each add one to it, so it is odd while
// a request is in flight. A use ends by a reply, by a put that fails, or when
// the peer is given up on. Any thread may see one of these. One of the threads
// that do claims the slot, and then owns it.
//
// The sender owns the slot first, and later the claimer. Only the owner writes
// any word but the use. Other threads may read the peer and the kept put late.
// For example, a thread that sends a refused request again may find the slot in
// its next use, if the peer was given up on in between. So these words are
// atomic. A reader acts as with a seqlock: it reads them, reads the use again
// (Claim, Kept), and discards the words if the use has changed.
//
// Memory order: Begin releases the owner's writes, Use acquires them, and Claim
// does both. The words are stored with release and read with acquire. The owner
// of a later use has taken the slot under the lock of the pool, after the Claim
// that ended the previous use. So a thread that reads a word of a later use
// also sees that its own use is over. It also sees everything before that
// Claim, for example that the peer was given up on (pauses.h).
#ifndef CONDUITS_PORTALS_REQUEST_SLOT_H_
#define CONDUITS_PORTALS_REQUEST_SLOT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "conduits/portals/tagged.h"
#include "core/rank.h"
#include "core/thread/word.h"

namespace gasnet::portals_conduit {

// The arguments of the put of a request, without its peer.
struct RequestPut {
  size_t bytes = 0;  // bytes of the body
  uint64_t match_bits = 0;
  uint64_t header_data = 0;
};

class alignas(kRecordAlignment) RequestSlot {
 public:
  // --- Called by the owner ---

  void SetOut(Rank peer, uint8_t credit) {
    peer_.store(peer, std::memory_order_release);
    credit_ = credit;
  }
  // credit byte of the request's header
  uint8_t credit() const { return credit_; }

  // Keeps the put, and returns the use. The request is now in flight, and the
  // slot has no owner until a thread claims it.
  uint32_t Begin(const RequestPut& put) {
    bytes_.store(put.bytes, std::memory_order_release);
    match_bits_.store(put.match_bits, std::memory_order_release);
    header_data_.store(put.header_data, std::memory_order_release);
    const uint32_t now = use_.load(std::memory_order_relaxed) + 1;
    use_.store(now, std::memory_order_release);
    return now;
  }

  // --- Called by any thread ---

  static bool IsInFlight(uint32_t use) { return use % 2 != 0; }
  uint32_t Use() const { return use_.load(std::memory_order_acquire); }
  Rank Peer() const { return peer_.load(std::memory_order_acquire); }

  // Ends the use. Returns true if no other thread has ended the use. The caller
  // then owns the slot.
  bool Claim(uint32_t use) {
    if (IsInFlight(use) &&
        thread::Replace(use_, use, use + 1, std::memory_order_acq_rel)) {
      return true;
    }
    // A Replace that fails acquires nothing. This load acquires the Claim that
    // ended the use.
    static_cast<void>(Use());
    return false;
  }

  // Returns the put of use `use`, or nullopt if this use is over.
  std::optional<RequestPut> Kept(uint32_t use) const {
    const RequestPut put = {
        .bytes = bytes_.load(std::memory_order_acquire),
        .match_bits = match_bits_.load(std::memory_order_acquire),
        .header_data = header_data_.load(std::memory_order_acquire)};
    if (use_.load(std::memory_order_relaxed) != use) return std::nullopt;
    return put;
  }

  // --- Events ---

  // Returns the user pointer for the put of use `use` (tagged.h).
  void* UserOf(uint32_t use) { return Tag(*this, TagKind::kRequest, use / 2); }
  // Returns the use that a user pointer was made for, or 0 if the use is over.
  static uint32_t UseOf(void* user) {
    const uint32_t use = Untag<RequestSlot>(user).Use();
    return IsInFlight(use) && use / 2 % kTurns == TurnOf(user) ? use : 0;
  }

 private:
  std::atomic<uint32_t> use_{0};
  std::atomic<Rank> peer_{0};
  uint8_t credit_ = 0;
  std::atomic<size_t> bytes_{0};
  std::atomic<uint64_t> match_bits_{0};
  std::atomic<uint64_t> header_data_{0};
};

static_assert(sizeof(RequestSlot) == kRecordAlignment);

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_REQUEST_SLOT_H_
