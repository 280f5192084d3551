// The sending end of one ring. Private to the producing process.
//
// Reserve takes a cell, and if needed a block of the payload area. The caller
// fills them and publishes the cell. Under GASNET_PAR, threads reserve under a
// lock and fill outside it, so cells may be filled out of order. The consumer
// takes them in order.
//
// Space comes back through the credit line: the consumer writes the number of
// finished cells there. The producer reads the line only when space seems to
// have run out. Blocks are freed with their cells, in order, so one counter
// serves cells and blocks. When the payload area is empty, the next block
// starts at the area's beginning: a pair with little in flight touches little
// memory.
//
// A payload may be built in place before its message has a cell. It then has
// its own block (prepared block), behind the payload area: TakeBlock lends it
// to the caller, and ReserveFor takes the message's cell. The block comes back
// with the cell, or by ReturnBlock. Other messages do not wait for the block.
//
// If the producer sends many messages without an answer (a flood), it fetches
// cells for writing ahead of their use. A write then need not wait until the
// consumer's processor has released the cell's line. If messages alternate with
// answers, no cell is fetched ahead: the consumer is watching the next cell.
#ifndef CORE_HOSTSHM_PRODUCER_H_
#define CORE_HOSTSHM_PRODUCER_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "base/cache_line.h"
#include "base/cpu.h"
#include "base/round_up.h"
#include "base/sanitizer.h"
#include "core/hostshm/cell.h"
#include "core/hostshm/layout.h"
#include "core/hostshm/tuning.h"
#include "core/thread/mode.h"
#include "core/thread/spin_lock.h"
#include "job/status/status_page.h"

namespace gasnet::hostshm {

class Producer {
 public:
  // A cell to fill. block is valid if block_bytes was not 0.
  struct Slot {
    Cell* cell;
    unsigned char* block;
    uint32_t block_offset;
    uint8_t lap;
  };

  void Init(unsigned char* base, const Layout& layout, uint32_t consumer,
            uint32_t producer, am::Lane lane) {
    cells_ = reinterpret_cast<Cell*>(base +
                                     layout.cells_at(consumer, producer, lane));
    payload_ = base + layout.payload_at(consumer, producer, lane);
    payload_bytes_ = static_cast<uint32_t>(layout.payload_bytes());
    prepared_bytes_ = static_cast<uint32_t>(layout.prepared_bytes());
    credit_ = reinterpret_cast<std::atomic<uint32_t>*>(
        base + layout.credit_at(consumer, producer, lane));
    first_cell_ = layout.first_cell(consumer, producer, lane);
  }

  // The result of TryReserve(). kBusy: another thread holds the lock.
  enum class Room : uint8_t { kNone, kFound, kBusy };

  // Reserves a cell and a block. Returns false if the ring has no room now.
  // block_bytes: at most the size of the payload area.
  bool Reserve(size_t block_bytes, Slot& slot) {
    const thread::Holder holder(lock_);
    return ReserveLocked(block_bytes, slot);
  }
  // Like Reserve(), but does not wait for other threads.
  [[gnu::always_inline]] Room TryReserve(size_t block_bytes, Slot& slot) {
    if (!lock_.try_lock()) [[unlikely]]
      return Room::kBusy;
    const bool found = ReserveLocked(block_bytes, slot);
    lock_.unlock();
    return found ? Room::kFound : Room::kNone;
  }

  // Returns a prepared block, or null if none is free. The caller owns the
  // block until it calls ReserveFor or ReturnBlock.
  unsigned char* TakeBlock() {
    if (prepared_bytes_ == 0) return nullptr;
    const thread::Holder holder(lock_);
    TakeCredit();
    for (uint32_t i = 0; i < kPreparedBlocks; ++i) {
      if (!IsFree(prepared_[i])) continue;
      prepared_[i] = {Prepared::kTaken};
      return PreparedBlock(i);
    }
    return nullptr;
  }

  // Returns true if `address` is the start of a prepared block. Accepts any
  // address.
  bool HasBlock(const unsigned char* address) const {
    if (prepared_bytes_ == 0) return false;
    for (uint32_t i = 0; i < kPreparedBlocks; ++i) {
      if (address == PreparedBlock(i)) return true;
    }
    return false;
  }

  // Like Reserve(), for a block that TakeBlock() has returned. Returns false if
  // there is no cell now; the caller then keeps the block.
  bool ReserveFor(unsigned char* block, Slot& slot) {
    const thread::Holder holder(lock_);
    if (next_ - done_ == kCells && !TakeCredit()) return false;
    slot.block = block;
    slot.block_offset = static_cast<uint32_t>(block - payload_);
    PreparedOf(block) = {Prepared::kSent, next_};
    TakeCell(slot);
    return true;
  }

  // Takes the block back. Does nothing if the block's message was sent.
  void ReturnBlock(const unsigned char* block) {
    const thread::Holder holder(lock_);
    Prepared& prepared = PreparedOf(block);
    if (prepared.state == Prepared::kTaken) prepared = {};
  }

  // Returns true if Reserve would find room now.
  bool HasRoom(size_t block_bytes) {
    const thread::Holder holder(lock_);
    if (next_ - done_ >= kCells && !TakeCredit()) return false;
    uint32_t start;
    return block_bytes == 0 || FindBlock(block_bytes, start) ||
           (TakeCredit() && FindBlock(block_bytes, start));
  }

  // Returns the fill of the ring.
  job::RingFill Fill() {
    const thread::Holder holder(lock_);
    return {.messages = next_ - done_,
            .max_messages = kCells,
            .lines = (head_ - tail_) / kCacheLine,
            .max_lines = payload_bytes_ / kCacheLine};
  }

  // Records a message from the peer, and so ends a flood. Any thread. A lost
  // update only causes a fetch too many or too few.
  void Heard() {
    if (unanswered_.load(std::memory_order_relaxed) != 0) {
      unanswered_.store(0, std::memory_order_relaxed);
    }
  }

 private:
  friend struct ProducerPeer;  // used by tests

  // The state of a prepared block.
  struct Prepared {
    enum State : uint8_t { kNone, kTaken, kSent } state = kNone;
    uint32_t cell = 0;  // kSent: the number of its message's cell
  };

  static constexpr uint32_t kAhead =
      thread::kConcurrent ? kAheadOfThreads : kAheadOfOneThread;

  [[gnu::always_inline]] bool ReserveLocked(size_t block_bytes, Slot& slot)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_) {
    if (next_ - done_ == kCells && !TakeCredit()) return false;
    uint32_t start = head_;
    if (block_bytes > 0 && !FindBlock(block_bytes, start)) [[unlikely]] {
      if (!TakeCredit() || !FindBlock(block_bytes, start)) return false;
    }
    slot.block_offset = start & (payload_bytes_ - 1);
    slot.block = payload_ + slot.block_offset;
    head_ = start + RoundUpToLine(block_bytes);
    TakeCell(slot);
    FetchAhead();
    return true;
  }

  [[gnu::always_inline]] void FetchAhead()
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_) {
    const uint8_t sent = unanswered_.load(std::memory_order_relaxed);
    if (sent < kFlood) {
      unanswered_.store(static_cast<uint8_t>(sent + 1),
                        std::memory_order_relaxed);
      return;
    }
    PrefetchForWrite(&cells_[(first_cell_ + next_ + kAhead - 1) % kCells]);
  }

  // Takes the next cell. Requires that it is free.
  [[gnu::always_inline]] void TakeCell(Slot& slot)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_) {
    slot.cell = &cells_[(first_cell_ + next_) % kCells];
    slot.lap = LapOf(next_);
    block_end_[next_ % kCells] = head_;
    ++next_;
  }

  unsigned char* PreparedBlock(uint32_t index) const {
    return payload_ + payload_bytes_ + size_t{index} * prepared_bytes_;
  }
  Prepared& PreparedOf(const unsigned char* block)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_) {
    return prepared_[static_cast<size_t>(block - PreparedBlock(0)) /
                     prepared_bytes_];
  }
  bool IsFree(const Prepared& prepared) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_) {
    return prepared.state == Prepared::kNone ||
           (prepared.state == Prepared::kSent &&
            static_cast<int32_t>(done_ - prepared.cell) > 0);
  }

  static constexpr uint32_t RoundUpToLine(size_t bytes) {
    return static_cast<uint32_t>(RoundUp(bytes, kCacheLine));
  }

  // Finds the start of a contiguous free block of block_bytes bytes. Returns
  // false if there is no such block.
  bool FindBlock(size_t block_bytes, uint32_t& start)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_) {
    const uint32_t bytes = RoundUpToLine(block_bytes);
    if (head_ == tail_) head_ = tail_ = RoundUpToArea(head_);
    const uint32_t left = payload_bytes_ - (head_ & (payload_bytes_ - 1));
    start = bytes <= left ? head_ : head_ + left;
    return start + bytes - tail_ <= payload_bytes_;
  }

  uint32_t RoundUpToArea(uint32_t position) const {
    return (position + payload_bytes_ - 1) & ~(payload_bytes_ - 1);
  }

  // Reads the consumer's number of finished cells. Returns true if the number
  // has grown. The acquire load keeps our next writes behind the consumer's
  // reads.
  [[gnu::always_inline]] bool TakeCredit()
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_) {
    const uint32_t done = credit_->load(std::memory_order_acquire);
    // Ignores an impossible number: cells that were never sent cannot be
    // finished.
    if (done == done_ || next_ - done > kCells) return false;
    if constexpr (kThreadSanitizer) SeeOwnWritesUpTo(done);
    done_ = done;
    // Never moves the tail back: since these cells were sent, the area may have
    // been empty, so that blocks started at its beginning again.
    const uint32_t end = block_end_[(done - 1) % kCells];
    if (static_cast<int32_t>(end - tail_) > 0) tail_ = end;
    return true;
  }

  // Tells the thread sanitizer that one thread's writes to a cell come before
  // another thread's writes to the same cell a lap later. The consumer's
  // process establishes this order, but this process's sanitizer does not watch
  // the consumer's process.
  void SeeOwnWritesUpTo(uint32_t done) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock_) {
    for (uint32_t i = done_; i != done; ++i) {
      cells_[(first_cell_ + i) % kCells].header.load(std::memory_order_acquire);
    }
  }

  Cell* cells_ = nullptr;
  unsigned char* payload_ = nullptr;
  std::atomic<uint32_t>* credit_ = nullptr;
  uint32_t payload_bytes_ = 0;
  uint32_t prepared_bytes_ = 0;  // size of one block; 0 if there are no blocks
  uint8_t first_cell_ = 0;
  // messages sent since Heard, up to kFlood
  std::atomic<uint8_t> unanswered_{0};

  thread::SpinLock lock_;
  uint32_t next_ ABSL_GUARDED_BY(lock_) = 0;  // cells reserved so far
  uint32_t done_ ABSL_GUARDED_BY(lock_) = 0;  // cells known to be finished
  // Positions in the payload area, counted without wrapping. The area's size is
  // a power of two.
  uint32_t head_ ABSL_GUARDED_BY(lock_) = 0;  // the next block's start
  uint32_t tail_ ABSL_GUARDED_BY(lock_) =
      0;  // the start of the oldest block in use
  std::array<uint32_t, kCells> block_end_ ABSL_GUARDED_BY(lock_){};
  std::array<Prepared, kPreparedBlocks> prepared_ ABSL_GUARDED_BY(lock_){};
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_PRODUCER_H_
