// All operation records of this process, found by what peers and clients name
// them with.
//
// Records are made in blocks and never freed: a block belongs to one thread's
// Operations for good, an index names the same record for as long as the
// process lives, and looking one up takes no lock. A block is published with
// release order once its records are constructed; a look-up acquires it.
#ifndef EXTENDED_RECORD_TABLE_H_
#define EXTENDED_RECORD_TABLE_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <span>

#include "extended/operation.h"
#include "extended/tuning.h"

namespace gasnet::extended {

class RecordTable {
 public:
  // The form of an index: 18 bits name a block, 14 a transfer in it. Four
  // thousand million operations in flight.
  static constexpr uint32_t kIndexBits = 14;
  static constexpr uint32_t kMaxBlocks = 1u << (32 - kIndexBits);
  static constexpr uint32_t kMaxBlockTransfers = 1u << kIndexBits;

  // New records, with owner and index set. count is at most
  // kMaxBlockTransfers. Ends the job with a message when memory is exhausted.
  static std::span<Transfer> AddTransfers(Operations& owner, uint32_t count);
  static std::span<Iop> AddIops(Operations& owner);

  // The transfer that a peer names, or null.
  static Transfer* FindTransfer(uint32_t index) {
    const Block* const block =
        blocks_[index >> kIndexBits].load(std::memory_order_acquire);
    const uint32_t position = index & (kMaxBlockTransfers - 1);
    if (block == nullptr || position >= block->count) return nullptr;
    return block->transfers + position;
  }

  // Whether a record starts at this address; looks through all blocks.
  static const Operation* FindRecord(uintptr_t address);

 private:
  struct Block {
    uint32_t count;
    Transfer* transfers;
  };
  struct IopBlock {
    IopBlock* next = nullptr;
    std::array<Iop, kBlockIops> iops;
  };

  // Sparse: untouched pages cost no memory.
  static std::array<std::atomic<Block*>, kMaxBlocks> blocks_;
  static std::atomic<uint32_t> blocks_made_;
  static std::atomic<IopBlock*> iop_blocks_;
};

}  // namespace gasnet::extended

#endif  // EXTENDED_RECORD_TABLE_H_
