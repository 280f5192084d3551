#include "extended/operations.h"

#include <algorithm>
#include <memory>

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
    for (Iop& iop : RecordTable::Mine().AddIops(*this)) {
      iop.next = idle_iops_;
      idle_iops_ = &iop;
    }
  }
  Iop& iop = *idle_iops_;
  idle_iops_ = iop.next;
  iop.in_use = true;
  return iop;
}

}  // namespace gasnet::extended
