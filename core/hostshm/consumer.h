// The receiving end of one ring; private to the consuming process.
//
// Take hands out the oldest full cell; Finish says that its handler is done.
// Cells in between stay untouched, so a handler reads its arguments and its
// payload where they lie. Under GASNET_PAR several threads may be between Take
// and Finish on one ring, and finish in any order: what goes back to the
// producer is the longest prefix of finished cells. The lock guards the
// counters only; no handler runs under it.
//
// Credit goes back when a quarter of the cells is free, when much payload is,
// and when the ring is found empty, so that a producer that waits for the last
// byte gets it.
#ifndef CORE_HOSTSHM_CONSUMER_H_
#define CORE_HOSTSHM_CONSUMER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/hostshm/cell.h"
#include "core/hostshm/layout.h"
#include "core/thread/spin_lock.h"

namespace gasnet::hostshm {

class Consumer {
 public:
  void Init(unsigned char* base, const Layout& layout, uint32_t consumer,
            uint32_t producer, am::Lane lane) {
    cells_ = reinterpret_cast<Cell*>(base +
                                     layout.cells_at(consumer, producer, lane));
    payload_ = base + layout.payload_at(consumer, producer, lane);
    payload_bytes_ = layout.payload_bytes();
    credit_ = reinterpret_cast<std::atomic<uint32_t>*>(
        base + layout.credit_at(consumer, producer, lane));
  }

  unsigned char* payload() const { return payload_; }
  size_t payload_bytes() const { return payload_bytes_; }

  // Whether a message waits. May be stale.
  bool Ready() const {
    const uint32_t next = next_.load(std::memory_order_relaxed);
    return Full(next);
  }

  // The next full cell, or null. index goes to Finish.
  Cell* Take(uint32_t& index) {
    const thread::SpinLockHolder holder(lock_);
    index = next_.load(std::memory_order_relaxed);
    if (!Full(index)) return nullptr;
    next_.store(index + 1, std::memory_order_relaxed);
    in_use_ |= Bit(index);
    return &cells_[index % kCells];
  }

  // Frees a cell. Answers whether credit went back to the producer, who may be
  // waiting for it.
  bool Finish(uint32_t index, size_t block_bytes) {
    const thread::SpinLockHolder holder(lock_);
    in_use_ &= ~Bit(index);
    unreturned_bytes_ += block_bytes;
    const uint32_t next = next_.load(std::memory_order_relaxed);
    while (finished_ != next && (in_use_ & Bit(finished_)) == 0) ++finished_;
    const bool due = finished_ - returned_ >= kCells / 4 ||
                     unreturned_bytes_ >= payload_bytes_ / 4 || !Full(next);
    return due && ReturnCredit();
  }

 private:
  static constexpr uint64_t Bit(uint32_t index) {
    return uint64_t{1} << (index % kCells);
  }

  // The acquire order makes the rest of the message visible.
  bool Full(uint32_t index) const {
    const uint64_t word =
        cells_[index % kCells].header.load(std::memory_order_acquire);
    return static_cast<uint8_t>(word) == LapOf(index);
  }

  // The release order keeps our reads before the producer's next writes.
  bool ReturnCredit() {
    if (finished_ == returned_) return false;
    returned_ = finished_;
    unreturned_bytes_ = 0;
    credit_->store(finished_, std::memory_order_release);
    return true;
  }

  Cell* cells_ = nullptr;
  unsigned char* payload_ = nullptr;
  size_t payload_bytes_ = 0;
  std::atomic<uint32_t>* credit_ = nullptr;

  thread::SpinLock lock_;
  std::atomic<uint32_t> next_{0};  // cells ever taken; written under lock_
  uint32_t finished_ = 0;          // all before this one are finished
  uint32_t returned_ = 0;          // what the producer knows of that
  uint64_t in_use_ = 0;            // cells between Take and Finish
  size_t unreturned_bytes_ = 0;
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_CONSUMER_H_
