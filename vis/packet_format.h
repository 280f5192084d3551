// The wire format of memory in pieces: blocks, each of a head, and of the data
// if the message brings them.
//
//   Rows     base, base + stride, ...: `count` runs of `run` bytes
//   Listed   base + offsets[0], ...: `count` runs of `run` bytes
//   Varied   base + pieces[0].offset, ...: `count` runs of pieces[i].run bytes
//
//   put      head, offsets or pieces, data; head, ...
//   get      head, offsets or pieces; head, ...     the data come in the reply
//
// A message stands alone: each has all addresses that it needs, in whatever
// order messages arrive. Nothing in it is aligned. All ranks of a job have the
// same byte order and widths (gasnet_attach has checked that).
#ifndef VIS_PACKET_FORMAT_H_
#define VIS_PACKET_FORMAT_H_

#include <cstdint>

namespace gasnet::vis {

enum class Layout : uint32_t { kRows, kListed, kVaried };

struct Head {
  uint64_t base;
  int64_t stride;  // kRows; negative in a get only
  Layout layout;
  uint32_t run;  // not of kVaried
  uint32_t count;
  uint32_t reserved;  // 0
};

struct Piece {
  int32_t offset;
  uint32_t run;
};

// Returns the address at an offset from a block's base.
inline uint64_t Moved(uint64_t base, int32_t offset) {
  return base + static_cast<uint64_t>(int64_t{offset});
}

}  // namespace gasnet::vis

#endif  // VIS_PACKET_FORMAT_H_
