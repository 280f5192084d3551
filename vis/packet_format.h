// The wire format of transfers in pieces. A packet is a sequence of blocks.
// Each block has a head, and the data if the message carries them. There are
// three layouts:
//
// - Rows: `count` runs of `run` bytes at base, base + stride, ...
// - Listed: `count` runs of `run` bytes at base + offsets[0], ...
// - Varied: `count` runs; run i has pieces[i].run bytes at
//   base + pieces[i].offset
//
// The packets of a put, and of a get (its data are in the reply):
//
//     put      head, offsets or pieces, data; head, ...
//     get      head, offsets or pieces; head, ...
//
// Each message contains all addresses that it needs, so messages may arrive in
// any order. Nothing in a packet is aligned. All ranks of a job have the same
// byte order and widths (gasnet_attach has checked that).
#ifndef VIS_PACKET_FORMAT_H_
#define VIS_PACKET_FORMAT_H_

#include <cstdint>

namespace gasnet::vis {

enum class PacketLayout : uint32_t { kRows, kListed, kVaried };

struct Head {
  uint64_t base;
  int64_t stride;  // only for kRows; negative only in a get
  PacketLayout layout;
  uint32_t run;  // unused by kVaried
  uint32_t count;
  uint32_t reserved;  // always 0
};

struct PacketPiece {
  int32_t offset;
  uint32_t run;
};

// Returns the address at an offset from a block's base.
inline uint64_t Moved(uint64_t base, int32_t offset) {
  return base + static_cast<uint64_t>(int64_t{offset});
}

}  // namespace gasnet::vis

#endif  // VIS_PACKET_FORMAT_H_
