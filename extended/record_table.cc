#include "extended/record_table.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <type_traits>
#include <utility>

#include "base/log.h"
#include "core/thread/thread_state.h"
#include "extended/operations.h"

namespace gasnet::extended {
namespace {

// Allocates `count` objects without running their constructors.
template <class T>
T* Allocate(size_t count) {
  void* const memory = ::operator new (
      count * sizeof(T), std::align_val_t{alignof(T)}, std::nothrow);
  if (memory == nullptr) {
    Fatal(
        "out of memory for operations in flight: %zu more bytes cannot be "
        "had",
        count * sizeof(T));
  }
  return static_cast<T*>(memory);
}

// Frees objects that need no destructor.
template <class T>
void Free(T* memory) {
  static_assert(std::is_trivially_destructible_v<T>);
  ::operator delete (memory, std::align_val_t{alignof(T)});
}

void* MapZeros(size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    Fatal("no memory for the table of operations in flight, of %zu bytes",
          bytes);
  }
  return memory;
}

// Adds a complete block to a list. Readers load the list with acquire order.
template <class B>
void Push(B& block, std::atomic<B*>& list) {
  block.next = list.load(std::memory_order_relaxed);
  while (!list.compare_exchange_weak(block.next, &block,
                                     std::memory_order_release,
                                     std::memory_order_relaxed)) {
  }
}

template <class T>
bool IsElement(uintptr_t address, const T* first, size_t count) {
  const uintptr_t offset = address - reinterpret_cast<uintptr_t>(first);
  return offset < count * sizeof(T) && offset % sizeof(T) == 0;
}

}  // namespace

void RecordTable::Unmap::operator()(std::atomic<Block*>* blocks) const {
  munmap(blocks, kMaxBlocks * sizeof blocks[0]);
}

RecordTable::RecordTable()
    : blocks_(static_cast<std::atomic<Block*>*>(
          MapZeros(kMaxBlocks * sizeof(std::atomic<Block*>)))) {}

RecordTable::~RecordTable() {
  thread::ForEachState(
      [](thread::ThreadState& state) { state.operations = nullptr; });
  for (Block* block = list_.load(); block != nullptr;) {
    Block* const next = block->next;
    Free(block->transfers);
    Free(block);
    block = next;
  }
  for (IopBlock* block = iop_blocks_.load(); block != nullptr;) {
    IopBlock* const next = block->next;
    for (const Iop& iop : block->iops) delete[] iop.leaves;
    Free(block);
    block = next;
  }
}

Operations& RecordTable::Add(std::unique_ptr<Operations> operations) {
  const absl::MutexLock lock(&mutex_);
  return *of_threads_.emplace_back(std::move(operations));
}

std::span<Transfer> RecordTable::AddTransfers(Operations& owner,
                                              uint32_t count) {
  const uint32_t number = blocks_made_.fetch_add(1, std::memory_order_relaxed);
  if (number >= kMaxBlocks) {
    Fatal("more operations in flight than there are indices (2^32)");
  }
  Transfer* const transfers = Allocate<Transfer>(count);
  for (uint32_t i = 0; i < count; ++i) {
    Transfer& transfer = *new (transfers + i) Transfer;
    transfer.owner = &owner;
    transfer.index = number << kIndexBits | i;
  }
  Block* const block = new (Allocate<Block>(1)) Block{count, transfers};
  Push(*block, list_);
  blocks_[number].store(block, std::memory_order_release);
  return {transfers, count};
}

std::span<Iop> RecordTable::AddIops(Operations& owner) {
  IopBlock* const block = new (Allocate<IopBlock>(1)) IopBlock;
  for (Iop& iop : block->iops) iop.owner = &owner;
  Push(*block, iop_blocks_);
  return block->iops;
}

void RecordTable::AddOther(const Operation& operation) {
  const absl::MutexLock lock(&mutex_);
  others_[reinterpret_cast<uintptr_t>(&operation)] = &operation;
}

void RecordTable::RemoveOther(const Operation& operation) {
  const absl::MutexLock lock(&mutex_);
  others_.erase(reinterpret_cast<uintptr_t>(&operation));
}

const Operation* RecordTable::FindRecord(uintptr_t address) {
  const uint32_t made =
      std::min(blocks_made_.load(std::memory_order_relaxed), kMaxBlocks);
  for (uint32_t i = 0; i < made; ++i) {
    const Block* const block = blocks_[i].load(std::memory_order_acquire);
    if (block != nullptr && IsElement(address, block->transfers, block->count))
      return reinterpret_cast<const Transfer*>(address);
  }
  for (const IopBlock* block = iop_blocks_.load(std::memory_order_acquire);
       block != nullptr; block = block->next) {
    if (IsElement(address, block->iops.data(), block->iops.size()))
      return reinterpret_cast<const Iop*>(address);
  }
  const absl::MutexLock lock(&mutex_);
  const auto other = others_.find(address);
  return other == others_.end() ? nullptr : other->second;
}

}  // namespace gasnet::extended
