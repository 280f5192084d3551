// The receiving end of one ring. Private to the consuming process.
//
// Take hands out a run of the oldest full cells. Finish reports that the
// handlers of some of these cells are done, in order. The producer does not
// touch a cell between Take and Finish, so a handler reads its arguments and
// its payload in place.
//
// Under GASNET_PAR several threads may be between Take and Finish on one ring,
// and may finish in any order: the longest prefix of finished cells goes back
// to the producer. The lock guards the counters only. No handler runs under the
// lock, and a run of messages takes the lock only twice in total. In other
// modes, a thread finishes the cells that it took from a ring before it takes
// more from that ring: reply handlers serve no messages, and request handlers
// serve only replies.
//
// Credit for finished cells goes back to the producer when a quarter of the
// cells or of the payload area is free. A producer may wait for the last byte
// of the payload area. So all its free bytes also go back when the ring is
// found empty. Free cells need no such rule: at most a quarter of the cells is
// held back.
#ifndef CORE_HOSTSHM_CONSUMER_H_
#define CORE_HOSTSHM_CONSUMER_H_

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "core/hostshm/cell.h"
#include "core/hostshm/layout.h"
#include "core/hostshm/tuning.h"
#include "core/thread/mode.h"
#include "core/thread/spin_lock.h"

namespace gasnet::hostshm {

class Consumer {
 public:
  void Init(unsigned char* base, const Layout& layout, uint32_t consumer,
            uint32_t producer, am::Lane lane) {
    cells_ = reinterpret_cast<Cell*>(base +
                                     layout.cells_at(consumer, producer, lane));
    payload_ = base + layout.payload_at(consumer, producer, lane);
    payload_bytes_ = static_cast<uint32_t>(layout.payload_bytes());
    blocks_bytes_ = static_cast<uint32_t>(layout.blocks_bytes());
    credit_ = reinterpret_cast<std::atomic<uint32_t>*>(
        base + layout.credit_at(consumer, producer, lane));
    first_cell_ = layout.first_cell(consumer, producer, lane);
  }

  unsigned char* payload() const { return payload_; }
  // Returns the size in bytes of the memory that contains the blocks.
  size_t blocks_bytes() const { return blocks_bytes_; }

  // Returns true if a message waits in the ring. The answer may be stale.
  [[gnu::always_inline]] bool Ready() const {
    const uint32_t next = next_.load(std::memory_order_relaxed);
    return Full(next);
  }

  // Takes the oldest full cells, at most `most` <= kCells. Returns how many,
  // and sets `first` to the number of the first cell.
  unsigned Take(unsigned most, uint32_t& first) {
    const thread::Holder holder(lock_);
    first = next_.load(std::memory_order_relaxed);
    unsigned count = 0;
    while (count < most && Full(first + count)) ++count;
    next_.store(first + count, std::memory_order_relaxed);
    if constexpr (thread::kConcurrent) in_use_ |= Bits(first, count);
    return count;
  }

  // Takes the oldest cell if it is full and accept(index) returns true. accept
  // has no side effects.
  template <class Accept>
  [[gnu::always_inline]] bool TakeIf(uint32_t& index, Accept accept) {
    // First looks without the lock, since most looks find nothing and other
    // threads may hold the lock.
    if (!Ready()) return false;
    const thread::Holder holder(lock_);
    index = next_.load(std::memory_order_relaxed);
    if (!Full(index) || !accept(index)) return false;
    next_.store(index + 1, std::memory_order_relaxed);
    if constexpr (thread::kConcurrent) in_use_ |= Bits(index, 1);
    return true;
  }

  // Returns true if the oldest waiting message is for a handler other than
  // `handler`. The answer may be stale.
  [[gnu::always_inline]] bool HasOther(uint8_t handler) const {
    const uint32_t next = next_.load(std::memory_order_relaxed);
    const uint64_t word = CellAt(next).header.load(std::memory_order_relaxed);
    return static_cast<uint8_t>(word) == LapOf(next) &&
           CellHeader::Unpack(word).handler != handler;
  }

  Cell& CellAt(uint32_t index) const {
    return cells_[(first_cell_ + index) % kCells];
  }

  // Returns true if `count` finished cells or `block_bytes` finished payload
  // bytes are enough to return credit now.
  bool IsMuch(unsigned count, size_t block_bytes) const {
    return count >= kCells / kReturns ||
           block_bytes >= payload_bytes_ / kReturns;
  }

  // Frees `count` cells from number `first` on, and their blocks of the payload
  // area. One call of Take handed out all of these cells. Returns true if
  // credit went back to the producer. The producer may be waiting for it.
  bool Finish(uint32_t first, unsigned count, size_t block_bytes) {
    const thread::Holder holder(lock_);
    unreturned_bytes_ += static_cast<uint32_t>(block_bytes);
    const uint32_t next = next_.load(std::memory_order_relaxed);
    if constexpr (thread::kConcurrent) {
      in_use_ &= ~Bits(first, count);
      const auto run = static_cast<uint32_t>(
          std::countr_zero(std::rotr(in_use_, finished_ % kCells)));
      finished_ += std::min(run, next - finished_);
    } else {
      finished_ = first + count;
    }
    const bool due = IsMuch(finished_ - returned_, unreturned_bytes_) ||
                     (unreturned_bytes_ > 0 && !Full(next));
    return due && ReturnCredit();
  }

 private:
  // Returns the bits of `count` cells, from number `first` on, in in_use_.
  static constexpr uint64_t Bits(uint32_t first, unsigned count) {
    const uint64_t run =
        count == kCells ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
    return std::rotl(run, first % kCells);
  }

  // Returns true if the cell holds a message. The acquire load makes the rest
  // of the message visible.
  bool Full(uint32_t index) const {
    const uint64_t word = CellAt(index).header.load(std::memory_order_acquire);
    return static_cast<uint8_t>(word) == LapOf(index);
  }

  // Returns credit, if there is any, to the producer. The release store keeps
  // our reads of the cells before the producer's next writes.
  bool ReturnCredit() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_) {
    if (finished_ == returned_) return false;
    returned_ = finished_;
    // Keeps the number of bytes while cells are in use: some of the bytes may
    // belong to finished cells behind a cell that is still in use.
    if (in_use_ == 0) unreturned_bytes_ = 0;
    credit_->store(finished_, std::memory_order_release);
    return true;
  }

  Cell* cells_ = nullptr;
  unsigned char* payload_ = nullptr;
  std::atomic<uint32_t>* credit_ = nullptr;
  uint32_t payload_bytes_ = 0;
  uint32_t blocks_bytes_ = 0;
  uint8_t first_cell_ = 0;

  thread::SpinLock lock_;
  std::atomic<uint32_t> next_{0};  // cells taken so far; written under lock_
  uint32_t finished_ ABSL_GUARDED_BY(lock_) =
      0;  // all cells before this number are finished
  uint32_t returned_ ABSL_GUARDED_BY(lock_) =
      0;  // the value of finished_ that the producer knows
  uint32_t unreturned_bytes_ ABSL_GUARDED_BY(lock_) = 0;
  uint64_t in_use_ ABSL_GUARDED_BY(lock_) =
      0;  // cells between Take and Finish; GASNET_PAR only
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_CONSUMER_H_
