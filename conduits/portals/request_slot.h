// The record of a chunk for requests, and the uses of it, one after the other.
//
//   in the pool --Pool::Take--> the sender's --Begin--> in flight
//       ^                                                   |
//       `--Pool::Give-- the claimer's <-------Claim---------'
//
// The use counts both steps, and is odd while a request is in flight. A reply,
// a failure of the put and the giving up of the peer may each end it, on any
// thread: one of them claims it, and the slot is that thread's.
//
// The owner alone writes a slot: the sender, then the claimer. Begin releases
// what the owner has written, Use acquires it, and Claim does both. Other
// threads read the peer, and the put that is kept, while the slot may have the
// next owner already. So these are atomic, and a reader that needs those of the
// use that it has seen looks at the use again behind them, as Claim and Kept
// do. That suffices, since they are stored with release and read with acquire:
// a word of a later use was stored after the use before was claimed and the
// slot went through the lock of the pool, so its reader finds the use changed.
//
// A thread that finds a use over, or another peer in it, sees for the same
// reason all that was done before it ended: that its peer was given up on.
#ifndef CONDUITS_PORTALS_REQUEST_SLOT_H_
#define CONDUITS_PORTALS_REQUEST_SLOT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "conduits/portals/tagged.h"
#include "core/rank.h"
#include "core/thread/word.h"

namespace gasnet::portals {

// The put of a request, but for its peer.
struct RequestPut {
  size_t bytes = 0;  // of the body
  uint64_t match_bits = 0;
  uint64_t header_data = 0;
};

class alignas(kRecordAlignment) RequestSlot {
 public:
  // --- By the owner ---

  void SetOut(Rank peer, uint8_t credit) {
    peer_.store(peer, std::memory_order_release);
    credit_ = credit;
  }
  uint8_t credit() const { return credit_; }  // its byte

  // Keeps what is put. From then on the request is in flight, and the owner is
  // who claims it. The use.
  uint32_t Begin(const RequestPut& put) {
    bytes_.store(put.bytes, std::memory_order_release);
    match_bits_.store(put.match_bits, std::memory_order_release);
    header_data_.store(put.header_data, std::memory_order_release);
    const uint32_t now = use_.load(std::memory_order_relaxed) + 1;
    use_.store(now, std::memory_order_release);
    return now;
  }

  // --- By any thread ---

  static bool IsInFlight(uint32_t use) { return use % 2 != 0; }
  uint32_t Use() const { return use_.load(std::memory_order_acquire); }
  Rank Peer() const { return peer_.load(std::memory_order_acquire); }

  // Ends the use. True: nobody else has, and the slot is the caller's.
  bool Claim(uint32_t use) {
    if (IsInFlight(use) &&
        thread::Replace(use_, use, use + 1, std::memory_order_acq_rel)) {
      return true;
    }
    // Acquires what has ended it, which a Replace that fails does not.
    static_cast<void>(Use());
    return false;
  }

  // The put of the use; nothing where it is over.
  std::optional<RequestPut> Kept(uint32_t use) const {
    const RequestPut put = {
        .bytes = bytes_.load(std::memory_order_acquire),
        .match_bits = match_bits_.load(std::memory_order_acquire),
        .header_data = header_data_.load(std::memory_order_acquire)};
    if (use_.load(std::memory_order_relaxed) != use) return std::nullopt;
    return put;
  }

  // --- Events ---

  // The user of a put of that use.
  void* UserOf(uint32_t use) { return Tag(*this, Kind::kRequest, use / 2); }
  // The use of its slot that a user is of; 0: it is over.
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

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_REQUEST_SLOT_H_
