// Packets as they arrive. packet_format.h has their layout.
//
// A packet that has arrived may be anything. Packet::Check goes through all of
// it before a byte is read or written: every run lies in the segment, and the
// data are as long as the runs together. So no message has more written than it
// brings, nor more read than one reply takes.
#ifndef VIS_PACKET_H_
#define VIS_PACKET_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/am/message.h"
#include "core/segment.h"
#include "vis/packet_format.h"
#include "vis/strided.h"

namespace gasnet::vis {

// A packet that has arrived.
class Packet final : public am::GatherSource {
 public:
  // brings_data: a put's.
  Packet(std::span<const std::byte> bytes, bool brings_data)
      : bytes_(bytes), brings_data_(brings_data) {}

  // Why it is refused, and the first run that is at fault, if one is.
  struct Refusal {
    const char* why = nullptr;  // null: it is not
    uintptr_t address = 0;
    uint64_t nbytes = 0;
  };
  // data_room: bounds what it puts or asks for.
  Refusal Check(const Segment& segment, size_t data_room);

  // Of a packet that was checked. A put's data go where they belong; what a get
  // asks for, of so many bytes, goes to `to`.
  void Scatter() const;
  size_t data() const { return data_; }
  void GatherTo(std::byte* to) const override;

 private:
  struct Block {
    Head head;
    const std::byte* entries;  // offsets or pieces
    size_t nbytes;             // of all runs
    const std::byte* data;     // of a put
  };
  // The block at `at`, which moves on behind it; why it is none, or null.
  const char* Next(size_t& at, Block& block) const;
  // How a block of rows repeats in those behind it, as rows of one plane that
  // is copied as a whole; `at` moves on behind them.
  Dim Repeats(const Row& row, size_t& at) const;
  static Refusal CheckRuns(const Block& block, const Segment& segment);

  const std::span<const std::byte> bytes_;
  const bool brings_data_;
  size_t data_ = 0;
};

}  // namespace gasnet::vis

#endif  // VIS_PACKET_H_
