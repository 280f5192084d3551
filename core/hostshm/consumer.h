// The receiving end of one ring; private to the consuming process.
//
// Take hands out a run of the oldest full cells; Finish says that the handlers
// of some of them are done, in order. Cells in between stay untouched, so a
// handler reads its arguments and its payload where they lie. Under GASNET_PAR
// several threads may be between Take and Finish on one ring, and finish in any
// order: what goes back to the producer is the longest prefix of finished
// cells. The lock guards the counters only; no handler runs under it, and a run
// of messages costs two locked sections together. Where one thread at a time is
// inside GASNet, what was taken from a ring is finished before more is: reply
// handlers serve nothing, and request handlers only replies.
//
// Credit goes back when a quarter of the cells is free, when a quarter of the
// payload area is, and, if any of it is, when the ring is found empty, so that
// a producer that waits for the last byte gets it. For cells alone that is not
// needed: three quarters of them are always on the producer's side or will be.
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
    credit_ = reinterpret_cast<std::atomic<uint32_t>*>(
        base + layout.credit_at(consumer, producer, lane));
    first_cell_ = layout.first_cell(consumer, producer, lane);
  }

  unsigned char* payload() const { return payload_; }
  size_t payload_bytes() const { return payload_bytes_; }

  // Whether a message waits. May be stale.
  [[gnu::always_inline]] bool Ready() const {
    const uint32_t next = next_.load(std::memory_order_relaxed);
    return Full(next);
  }

  // Takes the full cells in front, at most `most`, which is at most kCells; how
  // many. The first has the number `first`.
  unsigned Take(unsigned most, uint32_t& first) {
    const thread::Holder holder(lock_);
    first = next_.load(std::memory_order_relaxed);
    unsigned count = 0;
    while (count < most && Full(first + count)) ++count;
    next_.store(first + count, std::memory_order_relaxed);
    if constexpr (thread::kConcurrent) in_use_ |= Bits(first, count);
    return count;
  }

  // Takes the cell in front if it is full and accept(index) says that it is the
  // one that is wanted. accept only reads.
  template <class Accept>
  [[gnu::always_inline]] bool TakeIf(uint32_t& index, Accept accept) {
    // Others may hold the lock: none for a look that finds nothing.
    if (!Ready()) return false;
    const thread::Holder holder(lock_);
    index = next_.load(std::memory_order_relaxed);
    if (!Full(index) || !accept(index)) return false;
    next_.store(index + 1, std::memory_order_relaxed);
    if constexpr (thread::kConcurrent) in_use_ |= Bits(index, 1);
    return true;
  }

  // Whether a message waits, and not one for that handler. May be stale.
  [[gnu::always_inline]] bool HasOther(uint8_t handler) const {
    const uint32_t next = next_.load(std::memory_order_relaxed);
    const uint64_t word = CellAt(next).header.load(std::memory_order_relaxed);
    return static_cast<uint8_t>(word) == LapOf(next) &&
           Header::Unpack(word).handler != handler;
  }

  Cell& CellAt(uint32_t index) const {
    return cells_[(first_cell_ + index) % kCells];
  }

  // Whether so many finished cells and bytes of payload should go back now.
  bool IsMuch(unsigned count, size_t block_bytes) const {
    return count >= kCells / kReturns ||
           block_bytes >= payload_bytes_ / kReturns;
  }

  // Frees `count` cells from number `first` on, which one Take handed out, and
  // what they held of the payload area. Answers whether credit went back to the
  // producer, who may be waiting for it.
  bool Finish(uint32_t first, unsigned count, size_t block_bytes) {
    const thread::Holder holder(lock_);
    unreturned_bytes_ += block_bytes;
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
  // The cells' bits in in_use_.
  static constexpr uint64_t Bits(uint32_t first, unsigned count) {
    const uint64_t run =
        count == kCells ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
    return std::rotl(run, first % kCells);
  }

  // The acquire order makes the rest of the message visible.
  bool Full(uint32_t index) const {
    const uint64_t word = CellAt(index).header.load(std::memory_order_acquire);
    return static_cast<uint8_t>(word) == LapOf(index);
  }

  // The release order keeps our reads before the producer's next writes.
  bool ReturnCredit() ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_) {
    if (finished_ == returned_) return false;
    returned_ = finished_;
    // Some may belong to cells behind one that is still in use.
    if (in_use_ == 0) unreturned_bytes_ = 0;
    credit_->store(finished_, std::memory_order_release);
    return true;
  }

  Cell* cells_ = nullptr;
  unsigned char* payload_ = nullptr;
  uint32_t payload_bytes_ = 0;
  uint8_t first_cell_ = 0;
  std::atomic<uint32_t>* credit_ = nullptr;

  thread::SpinLock lock_;
  std::atomic<uint32_t> next_{0};  // cells ever taken; written under lock_
  uint32_t finished_ ABSL_GUARDED_BY(lock_) =
      0;  // all before this one are finished
  uint32_t returned_ ABSL_GUARDED_BY(lock_) =
      0;  // what the producer knows of that
  uint64_t in_use_ ABSL_GUARDED_BY(lock_) =
      0;  // cells between Take and Finish; PAR
  size_t unreturned_bytes_ ABSL_GUARDED_BY(lock_) = 0;
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_CONSUMER_H_
