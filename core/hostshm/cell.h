// One message in a ring: a cache line. Parts that do not fit go to a block of
// the ring's payload area.
//
//     byte 0  header: lap, handler, shape, flags, payload length
//          8  Long: address of the payload in the consumer's address space
//             spilled: offset of the block in the payload area
//             arguments, then (from a 16-byte boundary) the payload
//
// If the arguments do not fit in the cell either, they are the first kArgsBlock
// bytes of the block.
//
// The header is stored last, with release order. Its lap number marks the cell
// as full: the lap of a ring's first round is 1, and memory starts as 0. No
// rank empties a cell; the next lap overwrites it.
//
// A consumer checks every value in the cell before it uses the value, because
// another process can write this memory.
#ifndef CORE_HOSTSHM_CELL_H_
#define CORE_HOSTSHM_CELL_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/cache_line.h"
#include "base/round_up.h"
#include "core/am/message.h"
#include "core/hostshm/layout.h"

namespace gasnet::hostshm {

struct alignas(kCacheLine) Cell {
  std::atomic<uint64_t> header;
  unsigned char body[kCacheLine - sizeof(header)];

  unsigned char* bytes() { return reinterpret_cast<unsigned char*>(this); }
};
static_assert(sizeof(Cell) == kCacheLine);

// Replaces the category in a cell that introduces a rail and is no message. The
// rail's number replaces the payload's length (rails.h).
inline constexpr auto kIntroduction = static_cast<am::Category>(3);

inline constexpr size_t kPayloadAlignment = 16;
inline constexpr size_t kArgsBlock = kCacheLine;
static_assert(kArgsBlock >= am::kMaxArgs * sizeof(int32_t));

// Returns the lap in which cell number `index` of a ring is written. index
// counts all cells from 0 and wraps only on overflow. The lap always differs
// from the previous lap of the same cell.
constexpr uint8_t LapOf(uint32_t index) {
  return static_cast<uint8_t>(index / kCells + 1);
}

struct CellHeader {
  uint8_t lap = 0;
  uint8_t handler = 0;
  uint8_t num_args = 0;
  am::Category category = am::Category::kShort;
  bool spilled = false;  // part of the message is in the payload area
  bool carried = false;  // Long: the payload travels with the message
  uint32_t nbytes = 0;

  [[gnu::always_inline]] constexpr uint64_t Pack() const {
    const uint64_t flags = static_cast<uint64_t>(category) |
                           uint64_t{spilled} << 2 | uint64_t{carried} << 3;
    return lap | uint64_t{handler} << 8 | uint64_t{num_args} << 16 |
           flags << 24 | uint64_t{nbytes} << 32;
  }
  [[gnu::always_inline]] static constexpr CellHeader Unpack(uint64_t word) {
    CellHeader header;
    header.lap = static_cast<uint8_t>(word);
    header.handler = static_cast<uint8_t>(word >> 8);
    header.num_args = static_cast<uint8_t>(word >> 16);
    header.category = static_cast<am::Category>(word >> 24 & 3);
    header.spilled = (word >> 26 & 1) != 0;
    header.carried = (word >> 27 & 1) != 0;
    header.nbytes = static_cast<uint32_t>(word >> 32);
    return header;
  }
};

// The positions of a message's parts in its cell, computed from values that
// both producer and consumer know.
struct CellPlacement {
  bool spilled = false;
  bool args_spilled = false;
  size_t block_at = 0;    // the cell stores the block's offset here
  size_t args_at = 0;     // offset in the cell, or in the block if args_spilled
  size_t payload_at = 0;  // offset in the cell, or in the block if spilled
  size_t block_bytes = 0;

  // Returns the positions. carried: bytes of payload that travel with the
  // message.
  [[gnu::always_inline]] static constexpr CellPlacement Of(
      am::Category category, unsigned num_args, size_t carried) {
    CellPlacement at;
    at.block_at = 8 + (category == am::Category::kLong ? 8 : 0);
    at.args_at = at.block_at;
    const size_t args_bytes = num_args * sizeof(int32_t);
    const size_t end = at.args_at + args_bytes;
    at.payload_at = RoundUp(end, kPayloadAlignment);
    at.spilled = end > kCacheLine ||
                 (carried > 0 && at.payload_at + carried > kCacheLine);
    if (at.spilled) at.Spill(args_bytes, carried);
    return at;
  }

 private:
  // Must be inlined: otherwise g++ emits a call in the middle of a send
  // (export/testing/send_path_test.sh).
  [[gnu::always_inline]] constexpr void Spill(size_t args_bytes,
                                              size_t carried) {
    args_at = block_at + 8;
    args_spilled = args_at + args_bytes > kCacheLine;
    if (args_spilled) args_at = 0;
    payload_at = args_spilled ? kArgsBlock : 0;
    block_bytes = payload_at + carried;
  }
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_CELL_H_
