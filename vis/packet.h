// Received packets. packet_format.h describes their layout.
//
// A received packet may contain anything. VisPacket::Check examines the whole
// packet before a byte is read or written. Each run must be in the segment, and
// the data must be as long as all runs together. So a message writes no more
// bytes than it contains, and reads no more bytes than one reply has room for.
#ifndef VIS_PACKET_H_
#define VIS_PACKET_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/am/message.h"
#include "core/further_segments.h"
#include "core/segment.h"
#include "vis/packet_format.h"
#include "vis/strided.h"

namespace gasnet::vis {

// A received packet.
class VisPacket final : public am::GatherSource {
 public:
  // `brings_data` is true for the packet of a put.
  VisPacket(std::span<const std::byte> bytes, bool brings_data)
      : bytes_(bytes), brings_data_(brings_data) {}

  // The reason for a refusal, and the first bad run if a run is the reason.
  struct Refusal {
    const char* why = nullptr;  // null: not refused
    uintptr_t address = 0;
    uint64_t nbytes = 0;
  };
  // Checks the packet. Each run must be inside `segment`, or, if `others` is
  // not null, inside one segment of `others`. The packet may put or get at most
  // `data_room` bytes.
  Refusal Check(const Segment& segment, size_t data_room,
                const FurtherSegments* others = nullptr);

  // Execute a packet that Check has accepted. Scatter stores the data of a put.
  // GatherTo copies the data that a get requests to `to`. The size of these
  // data is data() bytes.
  void Scatter() const;
  size_t data() const { return data_; }
  void GatherTo(std::byte* to) const override;

 private:
  struct Block {
    Head head;
    const std::byte* entries;  // offsets (kListed) or pieces (kVaried)
    size_t nbytes;             // number of bytes of all runs
    const std::byte* data;     // puts only
  };
  // Reads the block at `at`, and moves `at` past the block. Returns null if the
  // block is valid. Otherwise returns the reason for its refusal.
  const char* Next(size_t& at, Block& block) const;
  // Finds the blocks at `at` that repeat a block of rows. All these blocks can
  // be copied together as a plane. Returns the number of rows and their
  // distance. Moves `at` past these blocks.
  Dim Repeats(const Row& row, size_t& at) const;
  static Refusal CheckRuns(const Block& block, const Segment& segment,
                           const FurtherSegments* others);

  const std::span<const std::byte> bytes_;
  const bool brings_data_;
  size_t data_ = 0;
};

}  // namespace gasnet::vis

#endif  // VIS_PACKET_H_
