// One thread's operations in flight, and its pools of idle records.
//
// thread::Self().operations points to the object. It is made at the thread's
// first operation. When the thread ends, the object is passed on with the
// thread's record to another thread, so replies that arrive later still find
// their owner. Operations that the ended thread never synced stay out of the
// pools; nothing else is lost.
//
// Only the owning thread calls the methods, except Finish and Release:
// - The thread that handles the reply returns a part of an Iop to the
//   owner's pool.
// - The thread that syncs an operation returns the operation's record.
//
// Under GASNET_PAR these threads return records through stacks. They push, and
// the owner takes the whole stack at once, so there is no ABA problem: a record
// that left the stack and came back cannot mislead a pop. In other modes
// records return straight to the pool.
#ifndef EXTENDED_OPERATIONS_H_
#define EXTENDED_OPERATIONS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/cache_line.h"
#include "core/thread/mode.h"
#include "core/thread/thread_state.h"
#include "core/thread/word.h"
#include "extended/operation.h"

namespace gasnet::extended {

class alignas(kCacheLine) Operations {
 public:
  Operations(const Operations&) = delete;
  Operations& operator=(const Operations&) = delete;

  // Returns the operations of the calling thread.
  static Operations& Mine() {
    void* const mine = thread::Self().operations;
    return mine != nullptr ? *static_cast<Operations*>(mine) : Make();
  }

  // StartPut() starts a put, StartGet() a get of nbytes to destination. The
  // transfer awaits the reply of peer. It is a part of iop, or an operation of
  // its own if iop is null.
  Transfer& StartPut(Rank peer, Iop* iop) {
    Transfer& transfer = Pop();
    if (iop != nullptr) ++iop->initiated_puts;
    transfer.direction = Direction::kPut;
    return Arm(transfer, peer, iop);
  }
  Transfer& StartGet(Rank peer, void* destination, size_t nbytes, Iop* iop) {
    Transfer& transfer = Pop();
    if (iop != nullptr) ++iop->initiated_gets;
    transfer.direction = Direction::kGet;
    transfer.destination = static_cast<std::byte*>(destination);
    transfer.nbytes = nbytes;
    return Arm(transfer, peer, iop);
  }

  // Starts an atomic whose reply brings nbytes to destination. nbytes may be 0.
  Transfer& StartRmw(Rank peer, void* destination, size_t nbytes, Iop* iop) {
    Transfer& transfer = Pop();
    if (iop != nullptr) ++iop->initiated_rmws;
    transfer.direction = Direction::kRmw;
    transfer.destination = static_cast<std::byte*>(destination);
    transfer.nbytes = nbytes;
    return Arm(transfer, peer, iop);
  }

  // Starts a get of nbytes in pieces as a part of iop. The bytes begin at byte
  // `at` of the landing's stream.
  Transfer& StartPiecesGet(Rank peer, void* landing, uint64_t at, size_t nbytes,
                           Iop& iop) {
    Transfer& transfer = Pop();
    ++iop.initiated_gets;
    transfer.direction = Direction::kPieces;
    transfer.destination = static_cast<std::byte*>(landing);
    transfer.value = at;
    transfer.nbytes = nbytes;
    return Arm(transfer, peer, &iop);
  }

  // Undoes the start of a transfer that no other rank knows of.
  void Cancel(Transfer& transfer) {
    if (Iop* const iop = transfer.iop) {
      --(transfer.direction == Direction::kPut   ? iop->initiated_puts
         : transfer.direction == Direction::kRmw ? iop->initiated_rmws
                                                 : iop->initiated_gets);
    }
    Release(transfer);
  }

  // StartValueGet() starts a get of nbytes into the record itself.
  // CompletedValueGet() makes a value get that already has its value.
  Transfer& StartValueGet(Rank peer, size_t nbytes) {
    Transfer& transfer = *idle();
    transfer.value = 0;
    StartGet(peer, LowBytes(transfer.value, nbytes), nbytes, nullptr);
    transfer.is_valget = true;
    return transfer;
  }
  Transfer& CompletedValueGet(uint64_t value) {
    Transfer& transfer = StartValueGet(0, sizeof(value));
    transfer.value = value;
    Finish(transfer);
    return transfer;
  }

  // Returns an Iop without operations in flight.
  Iop& TakeIop();

  // Returns the record of a complete operation to the pool of the record's
  // owner. Any thread may call it, on its own Operations.
  void Release(Operation& operation) {
    if (operation.shape == Operation::Shape::kTransfer) {
      Release(static_cast<Transfer&>(operation));
    } else if (operation.shape == Operation::Shape::kIop) {
      Release(static_cast<Iop&>(operation));
    } else if (operation.shape == Operation::Shape::kForeign) {
      static_cast<Foreign&>(operation).Release();
    }
  }
  void Release(Transfer& transfer) {
    Retire(transfer);
    if (thread::kConcurrent && transfer.owner != this) [[unlikely]] {
      PushFromElsewhere(transfer.owner->returned_, transfer);
    } else {
      transfer.owner->Push(transfer);
    }
  }
  void Release(Iop& iop) {
    iop.in_use = false;
    iop.has_leaves = false;
    iop.generation.store(iop.generation.load(std::memory_order_relaxed) + 1,
                         std::memory_order_release);
    if (thread::kConcurrent && iop.owner != this) [[unlikely]] {
      PushFromElsewhere(iop.owner->returned_iops_, iop);
    } else {
      iop.owner->Push(iop);
    }
  }

  // Returns iop. If the operation is refused, releases iop and returns null.
  Iop* KeepUnless(bool refused, Iop& iop) {
    if (!refused) [[likely]]
      return &iop;
    Release(iop);
    return nullptr;
  }

  // Returns the leaf for one part of an Iop. The Iop must be in use. Only one
  // thread at a time may call this.
  static Leaf& LeafOf(Iop& iop, Parts part);

  // Completes a claimed transfer. Any thread may call it.
  static void Finish(Transfer& transfer) {
    if (transfer.iop == nullptr) {
      transfer.word.store(
          Transfer::Word(transfer.Generation(), Transfer::kDone),
          std::memory_order_release);
    } else {
      FinishPart(transfer);
    }
  }

  // current() returns the Iop that new implicit-handle operations join.
  // implicit() returns the Iop of operations started outside access regions.
  Iop& current() { return region_ != nullptr ? *region_ : implicit_; }
  Iop& implicit() { return implicit_; }
  bool in_region() const { return region_ != nullptr; }
  void OpenRegion() { region_ = &TakeIop(); }
  Iop& CloseRegion() {
    Iop& region = *region_;
    region_ = nullptr;
    return region;
  }

  uint32_t thread_index() const { return thread_index_; }

 private:
  explicit Operations(uint32_t thread_index);
  static Operations& Make();

  static Transfer& Arm(Transfer& transfer, Rank peer, Iop* iop) {
    transfer.is_valget = false;
    transfer.peer = peer;
    transfer.iop = iop;
    transfer.word.store(
        Transfer::Word(transfer.Generation(), Transfer::kInFlight),
        std::memory_order_release);
    return transfer;
  }

  static void Retire(Transfer& transfer) {
    transfer.word.store(
        Transfer::Word(Transfer::Next(transfer.Generation()), Transfer::kIdle),
        std::memory_order_relaxed);
  }

  // Returns the transfer that Pop takes next.
  Transfer* idle() {
    if (idle_ == nullptr) [[unlikely]]
      Refill();
    return idle_;
  }
  Transfer& Pop() {
    Transfer& transfer = *idle();
    idle_ = transfer.next;
    return transfer;
  }
  void Push(Transfer& transfer) {
    transfer.next = idle_;
    idle_ = &transfer;
  }
  void Push(Iop& iop) {
    iop.next = idle_iops_;
    idle_iops_ = &iop;
  }

  // Takes records that other threads have returned, or makes more.
  void Refill();

  static void FinishPart(Transfer& transfer) {
    Iop& iop = *transfer.iop;
    auto& completed = transfer.direction == Direction::kPut ? iop.completed_puts
                      : transfer.direction == Direction::kRmw
                          ? iop.completed_rmws
                          : iop.completed_gets;
    Operations& owner = *transfer.owner;
    Retire(transfer);
    if constexpr (thread::kConcurrent) {
      PushFromElsewhere(owner.returned_, transfer);
    } else {
      owner.Push(transfer);
    }
    thread::FetchAdd(completed, 1, std::memory_order_release);
  }

  template <class Record>
  static void PushFromElsewhere(std::atomic<Record*>& returned,
                                Record& record) {
    record.next = returned.load(std::memory_order_relaxed);
    while (!returned.compare_exchange_weak(record.next, &record,
                                           std::memory_order_release,
                                           std::memory_order_relaxed)) {
    }
  }

  Transfer* idle_ = nullptr;
  Iop* idle_iops_ = nullptr;
  Iop* region_ = nullptr;
  uint32_t next_block_;
  const uint32_t thread_index_;

  Iop implicit_;

  alignas(kCacheLine) std::atomic<Transfer*> returned_{nullptr};
  std::atomic<Iop*> returned_iops_{nullptr};
};

}  // namespace gasnet::extended

#endif  // EXTENDED_OPERATIONS_H_
