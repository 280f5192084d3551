// Collectives for processes that share memory, written by hand from flags and
// copies, without a library interface. Sources and results lie in the shared
// memory.
//
// Data moves in one of three ways, depending on the size and on set_push:
//
//   - staged, up to kMaxStaged bytes: a rank writes its source once into a
//     slot of a window, together with the operation's number. The other ranks
//     read the source from the slot. A rank checks only when the window is
//     full whether all other ranks have read its slots.
//   - pull: a rank that needs a block copies it once the block's owner has
//     entered the operation.
//   - push: a rank that has a block copies it once the block's reader has
//     entered the operation.
//
// With pull and push, sums are cut into slices, one for each rank.
//
// All ranks call all functions, in the same order.
#ifndef BENCH_LIMITS_COLLECTIVE_LOOPS_H_
#define BENCH_LIMITS_COLLECTIVE_LOOPS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "bench/harness/collectives.h"

namespace gasnet::bench {

class CollectiveLoops {
 public:
  static constexpr size_t kMaxStaged = 4096;

  // Returns the size in bytes that the constructor's `memory` must have. The
  // memory must be zeroed, and shared by all ranks.
  static size_t Bytes(size_t ranks);
  // `yields`: waiting ranks yield. Set it if there are more ranks than
  // processors.
  CollectiveLoops(void* memory, size_t rank, size_t ranks, bool yields);

  size_t rank() const { return rank_; }
  size_t ranks() const { return ranks_; }
  double* source() { return SourceOf(rank_); }
  double* result() { return ResultOf(rank_); }

  void Barrier();
  void Run(Collective kind, size_t size);
  void set_push(bool push) { push_ = push; }

 private:
  static constexpr uint64_t kWindow = 16;
  static constexpr uint64_t kHalf = kWindow / 2;

  struct alignas(64) Line {
    std::atomic<uint64_t> number;
    char payload[56];
  };
  struct Slot {
    Line line;
    alignas(64) char rest[kMaxStaged];
  };

  double* SourceOf(size_t rank) { return AreaOf(2 * rank); }
  double* ResultOf(size_t rank) { return AreaOf(2 * rank + 1); }
  double* AreaOf(size_t index);
  Slot& SlotOf(size_t from, size_t to);
  template <class Condition>
  void Until(Condition condition) const;
  void UntilAll(Line* lines, uint64_t number) const;

  bool Sends(Collective kind, size_t from, size_t to) const;
  const double* BlockFor(Collective kind, size_t size, size_t from, size_t to);
  double* PlaceOf(Collective kind, size_t size, size_t from, size_t to);

  void Staged(Collective kind, size_t size);
  void Publish(Collective kind, size_t size);
  void Collect(Collective kind, size_t size);
  void Moved(Collective kind, size_t size);
  void Sliced(Collective kind, size_t size);

  Line* entered_;  // indexed by rank
  Line* left_;
  Line* read_;  // number of the last operation whose slots the rank has read
  Line* barrier_;
  Slot* slots_;
  char* areas_;
  const size_t rank_;
  const size_t ranks_;
  const bool yields_;
  bool push_ = false;
  uint64_t number_ = 0;
  uint64_t barriers_ = 0;
};

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_COLLECTIVE_LOOPS_H_
