// What a message says of memory in pieces: blocks, each of a head, and of the
// data where the message brings them.
//
//   Rows     base, base + stride, ...: `count` runs of `run` bytes
//   Listed   base + offsets[0], ...: `count` runs of `run` bytes
//   Varied   base + pieces[0].offset, ...: `count` runs of pieces[i].run bytes
//
//   put      head, offsets or pieces, data; head, ...
//   get      head, offsets or pieces; head, ...     the data come in the reply
//
// A message stands alone: whatever order messages arrive in, each names all
// addresses that it means. Nothing in it is aligned. All ranks of a job have
// the same byte order and widths (gasnet_attach has seen to it by then).
//
// What has arrived may be anything. Packet::Check goes through all of it before
// a byte is read or written: every run lies in the segment, and the data are as
// long as the runs together. So no message has more written than it brings, nor
// more read than one reply takes.
#ifndef VIS_PACKET_H_
#define VIS_PACKET_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/am/message.h"
#include "core/segment.h"
#include "vis/copy.h"
#include "vis/strided.h"

namespace gasnet::vis {

enum class Layout : uint32_t { kRows, kListed, kVaried };

struct Head {
  uint64_t base;
  uint64_t stride;  // kRows
  Layout layout;
  uint32_t run;  // but for kVaried
  uint32_t count;
  uint32_t reserved;  // 0
};

struct Piece {
  int32_t offset;
  uint32_t run;
};

// Plans a packet of limited size: runs of the remote side, and for a put the
// data of the local one. What it says of the former, and what data are too few
// to be worth a note, it writes into the memory given; of all others it notes
// where they are, and they are copied once, to where a link sends them from
// (GatherTo). Their memory and their lists stay until then.
class PacketWriter final : public am::GatherSource {
 public:
  // memory: of as many bytes as there is room.
  // room: of the message; data_room: of what it puts or gets.
  // joins: whether runs that follow each other on the remote side are one
  // there.
  PacketWriter(std::byte* memory, size_t room, size_t data_room,
               bool brings_data, bool joins)
      : memory_(memory),
        room_(room),
        data_room_(data_room),
        brings_data_(brings_data),
        joins_(joins) {}

  // Adds as many of the first runs as fit; how many. Local memory is read for a
  // put alone.
  struct RemoteRow {
    uint64_t base;
    size_t stride;
    size_t run;
    size_t count;
  };
  size_t AddRow(const RemoteRow& row, const std::byte* local,
                size_t local_stride);
  // The local side is contiguous, or listed in the same runs.
  size_t AddListed(void* const* bases, size_t run, size_t count,
                   const std::byte* local);
  size_t AddListed(void* const* bases, size_t run, size_t count,
                   void* const* locals);
  // One run, in a block of such while it follows others. Whether it fits.
  bool AddRun(uint64_t base, size_t run, const std::byte* local);

  // Of runs of so many bytes each a packet takes one, as long as it is empty.
  static size_t LargestRun(size_t room, size_t data_room);

  // Ends what is open. Nothing is added from here on until it is cleared.
  void Close() { CloseVaried(); }
  // Of what is closed: bytes in all, and the packet itself.
  size_t size() const { return size_; }
  void GatherTo(std::byte* to) const override;
  // Bytes that are put or asked for.
  size_t data() const { return data_; }
  bool IsEmpty() const { return data_ == 0; }
  void Clear();

 private:
  // Of a block, whose data are found when it is closed.
  static constexpr size_t kMostPieces = 256;
  // Fewer bytes than that are copied at once.
  static constexpr size_t kLeastNoted = 256;
  static constexpr size_t kMostNoted = 64;

  // Data that are not in memory_: in a list, or in rows without one.
  struct Noted {
    size_t written;  // bytes of memory_ that are in front of them
    void* const* list;
    const std::byte* rows;
    size_t stride;
    size_t run;
    size_t count;
  };

  // How many of `count` runs fit into a new block, of so many bytes of
  // description each.
  size_t Fit(size_t each, size_t run, size_t count) const;
  size_t FitListed(void* const* bases, size_t run, size_t count) const;
  void BeginListed(void* const* bases, size_t run, size_t count);
  void Write(const void* from, size_t nbytes);
  // Data: noted, or copied.
  void Bring(const Noted& data);
  static void Copy(std::byte* to, const Noted& data);
  // A row that takes less as single runs.
  bool IsShort(const RemoteRow& row) const;
  size_t AddRuns(const RemoteRow& row, const std::byte* local,
                 size_t local_stride);
  // Whether what is at `base` follows the last piece of the open block.
  bool Follows(uint64_t base) const;
  void CloseVaried();

  std::byte* const memory_;
  const size_t room_;
  const size_t data_room_;
  const bool brings_data_;
  const bool joins_;
  size_t size_ = 0;     // with all of an open block
  size_t written_ = 0;  // to memory_
  size_t noted_ = 0;
  std::array<Noted, kMostNoted> notes_;
  size_t data_ = 0;
  uint64_t varied_base_ = 0;
  size_t varied_ = 0;  // pieces of the open block
  std::array<Piece, kMostPieces> pieces_;
  struct Source {
    const std::byte* from;
    size_t nbytes;
  };
  size_t num_sources_ = 0;  // of the open block of a put, in order
  std::array<Source, kMostPieces> sources_;
};

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
  static Refusal CheckRuns(const Block& block, const Segment& segment);

  const std::span<const std::byte> bytes_;
  const bool brings_data_;
  size_t data_ = 0;
};

}  // namespace gasnet::vis

#endif  // VIS_PACKET_H_
