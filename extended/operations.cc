#include "extended/operations.h"

#include <algorithm>
#include <bit>
#include <memory>

#include "core/thread/mode.h"
#include "extended/record_table.h"
#include "extended/tuning.h"

namespace gasnet::extended {
namespace {

constexpr uint32_t kFirstBlock = kFirstBlockBytes / sizeof(Transfer);

}  // namespace

Operations::Operations(uint32_t thread_index)
    : next_block_(kFirstBlock), thread_index_(thread_index) {
  implicit_.owner = this;
}

Operations& Operations::Make() {
  thread::ThreadState& self = thread::Self();
  Operations& made = RecordTable::Mine().Add(
      std::unique_ptr<Operations>(new Operations(self.index)));
  self.operations = &made;
  return made;
}

void Operations::Refill() {
  idle_ = returned_.exchange(nullptr, std::memory_order_acquire);
  if (idle_ != nullptr) return;
  const auto block = RecordTable::Mine().AddTransfers(*this, next_block_);
  next_block_ = std::min(2 * next_block_, RecordTable::kMaxBlockTransfers);
  for (auto transfer = block.rbegin(); transfer != block.rend(); ++transfer)
    Push(*transfer);
}

Iop& Operations::TakeIop() {
  if (idle_iops_ == nullptr) {
    idle_iops_ = returned_iops_.exchange(nullptr, std::memory_order_acquire);
  }
  if (idle_iops_ == nullptr) {
    for (Iop& iop : RecordTable::Mine().AddIops(*this)) Push(iop);
  }
  Iop& iop = *idle_iops_;
  idle_iops_ = iop.next;
  iop.in_use = true;
  return iop;
}

Leaf& Operations::LeafOf(Iop& iop, Parts part) {
  if (iop.leaves == nullptr) {
    iop.leaves = new Leaf[kPartsOfIop];
    for (unsigned i = 0; i < kPartsOfIop; ++i) {
      iop.leaves[i].root = &iop;
      iop.leaves[i].parts = static_cast<Parts>(1u << i);
      if constexpr (thread::kChecks)
        RecordTable::Mine().AddOther(iop.leaves[i]);
    }
  }
  iop.has_leaves = true;
  Leaf& leaf = iop.leaves[std::countr_zero(part)];
  leaf.generation = iop.generation.load(std::memory_order_relaxed);
  return leaf;
}

Foreign::Foreign()
    : Operation(Shape::kForeign),
      generation(thread::kChecks ? RecordTable::Mine().NextNumber() : 0) {
  if constexpr (thread::kChecks) RecordTable::Mine().AddOther(*this);
}

Foreign::~Foreign() {
  if constexpr (thread::kChecks) RecordTable::Mine().RemoveOther(*this);
}

}  // namespace gasnet::extended
