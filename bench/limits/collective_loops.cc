#include "bench/limits/collective_loops.h"

#include <sched.h>

#include <algorithm>
#include <cstring>

#include "base/cpu.h"

namespace gasnet::bench {
namespace {

bool IsSum(Collective kind) { return kind >= Collective::kReduce; }

void Add(double* to, const double* from, size_t count) {
  for (size_t i = 0; i < count; ++i) to[i] += from[i];
}

// Computes to = a + b.
void Sum(double* __restrict to, const double* __restrict a,
         const double* __restrict b, size_t count) {
  for (size_t i = 0; i < count; ++i) to[i] = a[i] + b[i];
}

}  // namespace

size_t CollectiveLoops::Bytes(size_t ranks) {
  const size_t lines = 4 * ranks * sizeof(Line);
  const size_t slots = ranks * ranks * kWindow * sizeof(Slot);
  // The extra 4096 + 192 bytes place the areas at different offsets in their
  // pages.
  return lines + slots + 2 * ranks * (CollectiveAreaBytes(ranks) + 4096 + 192);
}

CollectiveLoops::CollectiveLoops(void* memory, size_t rank, size_t ranks,
                                 bool yields)
    : entered_(static_cast<Line*>(memory)),
      left_(entered_ + ranks),
      read_(left_ + ranks),
      barrier_(read_ + ranks),
      slots_(reinterpret_cast<Slot*>(barrier_ + ranks)),
      areas_(reinterpret_cast<char*>(slots_ + ranks * ranks * kWindow)),
      rank_(rank),
      ranks_(ranks),
      yields_(yields) {}

double* CollectiveLoops::AreaOf(size_t index) {
  return reinterpret_cast<double*>(
      areas_ + index * (CollectiveAreaBytes(ranks_) + 4096 + 192));
}

CollectiveLoops::Slot& CollectiveLoops::SlotOf(size_t from, size_t to) {
  return slots_[(from * ranks_ + to) * kWindow + number_ % kWindow];
}

template <class Condition>
void CollectiveLoops::Until(Condition condition) const {
  while (!condition()) {
    if (yields_) {
      sched_yield();
    } else {
      CpuRelax();
    }
  }
}

void CollectiveLoops::UntilAll(Line* lines, uint64_t number) const {
  for (size_t other = 0; other < ranks_; ++other) {
    Until([&] {
      // Acquire: the other rank's writes before its store of the number become
      // visible.
      return lines[other].number.load(std::memory_order_acquire) >= number;
    });
  }
}

void CollectiveLoops::Barrier() {
  ++barriers_;
  barrier_[rank_].number.store(barriers_, std::memory_order_release);
  UntilAll(barrier_, barriers_);
}

void CollectiveLoops::Run(Collective kind, size_t size) {
  ++number_;
  if (size <= kMaxStaged) {
    Staged(kind, size);
  } else if (IsSum(kind)) {
    Sliced(kind, size);
  } else {
    Moved(kind, size);
  }
  // The rank publishes the number of the last operation that it has read, twice
  // per window. That is often enough for a window of kWindow slots.
  if (number_ % kHalf == 0) {
    read_[rank_].number.store(number_, std::memory_order_release);
  }
}

// Returns true if the operation moves any data from rank `from` to rank `to`.
bool CollectiveLoops::Sends(Collective kind, size_t from, size_t to) const {
  switch (kind) {
    case Collective::kBroadcast:
    case Collective::kScatter:
      return from == 0;
    case Collective::kGather:
    case Collective::kReduce:
      return to == 0;
    case Collective::kScan:
      return from <= to;
    default:
      return true;
  }
}

const double* CollectiveLoops::BlockFor(Collective kind, size_t size,
                                        size_t from, size_t to) {
  const bool one_each =
      kind == Collective::kScatter || kind == Collective::kExchange;
  return SourceOf(from) + (one_each ? to * size / sizeof(double) : 0);
}

double* CollectiveLoops::PlaceOf(Collective kind, size_t size, size_t from,
                                 size_t to) {
  const bool one_each = kind == Collective::kGather || IsAllToAll(kind);
  return ResultOf(to) + (one_each ? from * size / sizeof(double) : 0);
}

// --- Staged ---

void CollectiveLoops::Staged(Collective kind, size_t size) {
  Publish(kind, size);
  Collect(kind, size);
}

void CollectiveLoops::Publish(Collective kind, size_t size) {
  const bool one_each =
      kind == Collective::kScatter || kind == Collective::kExchange;
  // Waits until all ranks have read the previous contents of these slots,
  // written kWindow operations ago.
  if (number_ > kWindow) {
    UntilAll(read_, (number_ - kWindow + kHalf - 1) / kHalf * kHalf);
  }
  for (size_t to = 0; to < ranks_; ++to) {
    if (to == rank_ || !Sends(kind, rank_, to)) continue;
    Slot& slot = SlotOf(rank_, one_each ? to : 0);
    const double* const block = BlockFor(kind, size, rank_, to);
    memcpy(size <= sizeof(slot.line.payload) ? slot.line.payload : slot.rest,
           block, size);
    slot.line.number.store(number_, std::memory_order_release);
    if (!one_each) return;
  }
}

void CollectiveLoops::Collect(Collective kind, size_t size) {
  const bool one_each =
      kind == Collective::kScatter || kind == Collective::kExchange;
  bool first = true;
  for (size_t from = 0; from < ranks_; ++from) {
    if (!Sends(kind, from, rank_)) continue;
    const double* block = BlockFor(kind, size, from, rank_);
    if (from != rank_) {
      Slot& slot = SlotOf(from, one_each ? rank_ : 0);
      Until([&] {
        return slot.line.number.load(std::memory_order_acquire) >= number_;
      });
      block = reinterpret_cast<const double*>(
          size <= sizeof(slot.line.payload) ? slot.line.payload : slot.rest);
    }
    double* const place = PlaceOf(kind, size, from, rank_);
    if (IsSum(kind) && !first) {
      Add(place, block, size / sizeof(double));
    } else {
      memcpy(place, block, size);
    }
    first = false;
  }
}

// --- Pull and push ---

void CollectiveLoops::Moved(Collective kind, size_t size) {
  entered_[rank_].number.store(number_, std::memory_order_release);
  for (size_t i = 0; i < ranks_; ++i) {
    const size_t other = (rank_ + i) % ranks_;
    const size_t from = push_ ? rank_ : other;
    const size_t to = push_ ? other : rank_;
    if (!Sends(kind, from, to)) continue;
    Until([&] {
      return entered_[other].number.load(std::memory_order_acquire) >= number_;
    });
    memcpy(PlaceOf(kind, size, from, to), BlockFor(kind, size, from, to), size);
  }
  left_[rank_].number.store(number_, std::memory_order_release);
  // Waits for all ranks that have moved data from or to this rank's memory.
  for (size_t other = 0; other < ranks_; ++other) {
    const bool touches =
        push_ ? Sends(kind, other, rank_) : Sends(kind, rank_, other);
    if (!touches) continue;
    Until([&] {
      return left_[other].number.load(std::memory_order_acquire) >= number_;
    });
  }
}

void CollectiveLoops::Sliced(Collective kind, size_t size) {
  entered_[rank_].number.store(number_, std::memory_order_release);
  UntilAll(entered_, number_);
  const size_t count = size / sizeof(double);
  const size_t first = count * rank_ / ranks_;
  const size_t length = count * (rank_ + 1) / ranks_ - first;
  // The number of elements of a part that stays in the first-level cache during
  // the sum.
  constexpr size_t kPart = 1024;
  for (size_t done = 0; done < length; done += kPart) {
    const size_t at = first + done;
    const size_t part = std::min(kPart, length - done);
    if (kind == Collective::kScan) {
      memcpy(ResultOf(0) + at, SourceOf(0) + at, part * sizeof(double));
      for (size_t rank = 1; rank < ranks_; ++rank) {
        Sum(ResultOf(rank) + at, ResultOf(rank - 1) + at, SourceOf(rank) + at,
            part);
      }
      continue;
    }
    double* const sum = ResultOf(0) + at;
    if (ranks_ == 1) memcpy(sum, SourceOf(0) + at, part * sizeof(double));
    if (ranks_ > 1) Sum(sum, SourceOf(0) + at, SourceOf(1) + at, part);
    for (size_t rank = 2; rank < ranks_; ++rank) {
      Add(sum, SourceOf(rank) + at, part);
    }
    for (size_t rank = 1; kind == Collective::kReduceAll && rank < ranks_;
         ++rank) {
      memcpy(ResultOf(rank) + at, sum, part * sizeof(double));
    }
  }
  left_[rank_].number.store(number_, std::memory_order_release);
  UntilAll(left_, number_);
}

}  // namespace gasnet::bench
