// The layout of the memory that the ranks of one host share.
//
//     doorbells   one for each rank: sleep flag, and bits of rings with
//                 messages
//     barriers    for each rank: two votes, and two words (arrivals.h)
//     meetings    for each rank: some words (meetings.h)
//     credits     one line for each ring, written by its consumer
//     rings       for every (consumer, producer, lane): cells, then payload,
//                 then the blocks of payloads that are built in place
//
// Segments lie behind this memory. Memory is used when it is first touched, so
// a pair of ranks that never communicates costs only address space. The payload
// area of a ring shrinks with the square of the number of ranks. So all rings
// together use no more than about kRingBudget, even if they are full.
#ifndef CORE_HOSTSHM_LAYOUT_H_
#define CORE_HOSTSHM_LAYOUT_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/cache_line.h"
#include "base/round_up.h"
#include "core/am/message.h"
#include "core/hostshm/tuning.h"
#include "gasnet/types.h"

namespace gasnet::hostshm {

inline constexpr size_t kPage = GASNET_PAGESIZE;

// kMeetingWords is the number of words that each rank has for each of the two
// kinds of meetings. kMeetingLines is the number of cache lines for both kinds.
inline constexpr uint32_t kMeetingWords = 32;
inline constexpr size_t kMeetingLines =
    2 * kMeetingWords * sizeof(uint32_t) / kCacheLine;

class Layout {
 public:
  explicit constexpr Layout(uint32_t ranks)
      : ranks_(ranks),
        doorbell_bytes_(kCacheLine + RoundUp(am::kLanes * pending_words() * 8,
                                             kCacheLine)) {}

  constexpr uint32_t ranks() const { return ranks_; }
  constexpr bool direct_poll() const { return ranks_ <= kDirectPollRanks; }

  // Returns the payload bytes of one ring; a power of two.
  constexpr size_t payload_bytes() const {
    const size_t fair = kRingBudget / (size_t{2} * ranks_ * ranks_);
    return std::clamp(std::bit_floor(fair), kMinPayload, kMaxPayload);
  }

  // Returns the size in bytes of each of the kPreparedBlocks blocks behind the
  // payload area; 0 if there are too many rings to have blocks.
  constexpr size_t prepared_bytes() const {
    const size_t one = RoundUp(kMaxHostMedium + kCacheLine, kPage);
    const size_t all = kMaxPayload + kPreparedBlocks * one;
    const size_t rings = size_t{2} * ranks_ * ranks_;
    return rings * all <= kRingBudget ? one : 0;
  }

  // Returns the size in bytes of the memory that contains a ring's blocks.
  constexpr size_t blocks_bytes() const {
    return payload_bytes() + kPreparedBlocks * prepared_bytes();
  }

  // Returns the number of words for a rank's pending bits, one bit for every
  // ring. The words lie behind the line of the sleep flag.
  constexpr size_t pending_words() const { return (ranks_ + 63) / 64; }

  constexpr size_t doorbell_at(uint32_t rank) const {
    return rank * doorbell_bytes_;
  }
  constexpr size_t vote_at(uint32_t parity, uint32_t rank) const {
    return votes_at() + (size_t{parity} * ranks_ + rank) * kCacheLine;
  }
  constexpr size_t arrival_at(uint32_t parity, uint32_t rank) const {
    return votes_at() + ((size_t{2} + parity) * ranks_ + rank) * kCacheLine;
  }
  constexpr size_t meeting_at(uint32_t rank) const {
    return votes_at() +
           (size_t{4} * ranks_ + size_t{rank} * kMeetingLines) * kCacheLine;
  }
  constexpr size_t credit_at(uint32_t consumer, uint32_t producer,
                             am::Lane lane) const {
    return credits_at() + ring_index(consumer, producer, lane) * kCacheLine;
  }
  constexpr size_t cells_at(uint32_t consumer, uint32_t producer,
                            am::Lane lane) const {
    return rings_at() + ring_index(consumer, producer, lane) * ring_bytes();
  }
  constexpr size_t payload_at(uint32_t consumer, uint32_t producer,
                              am::Lane lane) const {
    return cells_at(consumer, producer, lane) + kCells * kCacheLine;
  }

  // Returns the index of a ring's first cell. Rings are a multiple of a page
  // apart, and the two rings of a pair of ranks are used in step. If their
  // first indices were equal, their cells would compete for the same lines of
  // the first-level cache. A store to one ring would then delay a load from the
  // other.
  static constexpr uint8_t first_cell(uint32_t consumer, uint32_t producer,
                                      am::Lane lane) {
    const uint32_t apart = lane == am::Lane::kReply ? kCells / 2 : 0;
    return ((consumer + producer) * 7 + apart) % kCells;
  }

  // Returns the total bytes; a multiple of the page size.
  constexpr size_t total() const {
    return RoundUp(rings_at() + am::kLanes * ranks_ * ranks_ * ring_bytes(),
                   kPage);
  }

 private:
  constexpr size_t ring_index(uint32_t consumer, uint32_t producer,
                              am::Lane lane) const {
    return (size_t{consumer} * ranks_ + producer) * am::kLanes +
           static_cast<size_t>(lane);
  }
  constexpr size_t ring_bytes() const {
    return kCells * kCacheLine + blocks_bytes();
  }
  constexpr size_t votes_at() const {
    return RoundUp(ranks_ * doorbell_bytes_, kPage);
  }
  constexpr size_t credits_at() const {
    return RoundUp(votes_at() + (4 + kMeetingLines) * ranks_ * kCacheLine,
                   kPage);
  }
  constexpr size_t rings_at() const {
    return RoundUp(credits_at() + am::kLanes * ranks_ * ranks_ * kCacheLine,
                   kPage);
  }

  uint32_t ranks_;
  size_t doorbell_bytes_;
};

static_assert(kCells == 64);

// The shared memory of a link. Each part has the layout of a Layout and is
// initially zero.
struct HostMemory {
  unsigned char* out = nullptr;        // rings to the peers' endpoints
  unsigned char* in = nullptr;         // rings from the peers' endpoints
  unsigned char* own_bells = nullptr;  // contains the doorbell of this endpoint
  // contains the doorbells of the peers' endpoints
  unsigned char* peer_bells = nullptr;
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_LAYOUT_H_
