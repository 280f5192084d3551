// All operation records of this rank. Peers name a record by its index, clients
// by its address.
//
// Records are made in blocks, which live as long as the table. A block belongs
// to one thread's Operations for good, and an index always names the same
// record. So a look-up takes no lock. A block is published with release order
// after its records are constructed; a look-up acquires it.
#ifndef EXTENDED_RECORD_TABLE_H_
#define EXTENDED_RECORD_TABLE_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/runtime/layer.h"
#include "core/runtime/runtime.h"
#include "extended/operation.h"
#include "extended/tuning.h"

namespace gasnet::extended {

class RecordTable final : public Layer {
 public:
  static constexpr LayerName kName = LayerName::kOperations;
  // Returns the table of this rank.
  static RecordTable& Mine() { return runtime->layer<RecordTable>(); }

  RecordTable();
  // Frees the Operations of all threads, and the records.
  ~RecordTable() override;

  // The layout of an index: 18 bits name a block, 14 bits a transfer in the
  // block. That is enough for 2^32 operations in flight.
  static constexpr uint32_t kIndexBits = 14;
  static constexpr uint32_t kMaxBlocks = 1u << (32 - kIndexBits);
  static constexpr uint32_t kMaxBlockTransfers = 1u << kIndexBits;

  // AddTransfers() and AddIops() make new records and set their owner and
  // index. count is at most kMaxBlockTransfers. If memory is exhausted, the job
  // ends with a message.
  std::span<Transfer> AddTransfers(Operations& owner, uint32_t count);
  std::span<Iop> AddIops(Operations& owner);

  // Takes ownership of the Operations of a thread.
  Operations& Add(std::unique_ptr<Operations> operations);

  // Returns the transfer that a peer names, or null.
  Transfer* FindTransfer(uint32_t index) const {
    const Block* const block =
        blocks_[index >> kIndexBits].load(std::memory_order_acquire);
    const uint32_t position = index & (kMaxBlockTransfers - 1);
    if (block == nullptr || position >= block->count) return nullptr;
    return block->transfers + position;
  }

  // AddOther() and RemoveOther() add and remove a record that is in no block: a
  // leaf, or an operation of a layer above. Only debug builds need these
  // records in the table.
  void AddOther(const Operation& operation);
  void RemoveOther(const Operation& operation);
  // Returns a unique number for a record that is in no block.
  uint32_t NextNumber() {
    return others_made_.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  // Returns the record that starts at this address, or null. Searches all
  // records.
  const Operation* FindRecord(uintptr_t address);

 private:
  struct Block {
    uint32_t count;
    Transfer* transfers;
    Block* next = nullptr;  // the next in the list of all blocks
  };
  struct Unmap {
    void operator()(std::atomic<Block*>* blocks) const;
  };
  struct IopBlock {
    IopBlock* next = nullptr;
    std::array<Iop, kBlockIops> iops;
  };

  // An array of kMaxBlocks pointers. It is sparse: untouched pages cost no
  // memory.
  const std::unique_ptr<std::atomic<Block*>[], Unmap> blocks_;
  std::atomic<uint32_t> blocks_made_{0};
  // The list of all blocks. Leak checkers need it, since they do not search the
  // mapped memory of blocks_.
  std::atomic<Block*> list_{nullptr};
  std::atomic<IopBlock*> iop_blocks_{nullptr};
  std::atomic<uint32_t> others_made_{0};
  absl::Mutex mutex_;
  std::vector<std::unique_ptr<Operations>> of_threads_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<uintptr_t, const Operation*> others_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace gasnet::extended

#endif  // EXTENDED_RECORD_TABLE_H_
