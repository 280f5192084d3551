// Makes the packets of one operation. packet_format.h has their layout.
#ifndef VIS_PACKET_WRITER_H_
#define VIS_PACKET_WRITER_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/am/message.h"
#include "vis/packet_format.h"
#include "vis/strided.h"
#include "vis/tuning.h"

namespace gasnet::vis {

// The writer of one packet of limited size. The packet has runs of the remote
// side, and for a put also the data of the local side. The writer stores the
// description of the remote side, and short data, in the given memory. It only
// notes where longer data are. GatherTo copies longer data once, to the memory
// from which a link sends. The noted data and lists must stay unchanged until
// then.
class PacketWriter final : public am::GatherSource {
 public:
  // - memory: `room` bytes for the packet.
  // - room: the size of the message.
  // - data_room: the maximum number of bytes that the packet puts or gets.
  // - brings_data: true for a put.
  // - joins: if true, runs that are adjacent on the remote side are joined.
  PacketWriter(std::byte* memory, size_t room, size_t data_room,
               bool brings_data, bool joins)
      : memory_(memory),
        room_(room),
        data_room_(data_room),
        brings_data_(brings_data),
        joins_(joins) {}

  // Add as many runs as fit, from the first one on. Return the number of added
  // runs. Read local memory for a put only.
  struct RemoteRow {
    uint64_t base;
    ptrdiff_t stride;
    size_t run;
    size_t count;
  };
  size_t AddRow(const RemoteRow& row, const std::byte* local,
                ptrdiff_t local_stride);
  // Add listed runs. The local side is contiguous, or a list of as many runs of
  // the same length.
  size_t AddListed(void* const* bases, size_t run, size_t count,
                   const std::byte* local);
  size_t AddListed(void* const* bases, size_t run, size_t count,
                   void* const* locals);
  // Adds one run, to the open block of varied runs if possible. Returns false
  // if the run does not fit into the packet.
  bool AddRun(uint64_t base, size_t run, const std::byte* local);

  // Returns the size of the largest run that fits into an empty packet.
  static size_t LargestRun(size_t room, size_t data_room);

  // Closes the open block. Nothing may be added until Clear.
  void Close() { CloseVaried(); }
  // size returns the number of bytes of a closed packet. GatherTo copies the
  // packet.
  size_t size() const { return size_; }
  void GatherTo(std::byte* to) const override;
  // Returns the number of bytes that are put or requested.
  size_t data() const { return data_; }
  bool IsEmpty() const { return data_ == 0; }
  void Clear();

 private:
  // A note of data that are not in memory_. The data are in `list`, or in
  // `rows` if `list` is null.
  struct Noted {
    size_t written;  // bytes of memory_ in front of the data
    void* const* list;
    const std::byte* rows;
    ptrdiff_t stride;
    size_t run;
    size_t count;
  };

  // Return how many of `count` runs fit into a new block. In Fit, each run
  // needs `each` bytes of description.
  size_t Fit(size_t each, size_t run, size_t count) const;
  size_t FitListed(void* const* bases, size_t run, size_t count) const;
  void BeginListed(void* const* bases, size_t run, size_t count);
  void Write(const void* from, size_t nbytes);
  // Adds data to the packet: notes long data, and copies short data.
  void Bring(const Noted& data);
  static void Copy(std::byte* to, const Noted& data);
  // Returns the distance of note `i` from the previous note, in the packet and
  // at the source.
  Dim FromLast(size_t i) const;
  // Returns the number of notes from `first` on that form a plane. A plane is
  // copied as a whole. Its notes are rows of the same form, with equal
  // distances between each row and the next.
  size_t RowsOfPlane(size_t first) const;
  // Returns true if a row takes fewer bytes as single runs than as a block.
  bool IsShort(const RemoteRow& row) const;
  size_t AddRuns(const RemoteRow& row, const std::byte* local,
                 ptrdiff_t local_stride);
  // Returns true if `base` is the address just after the last piece of the open
  // block.
  bool Follows(uint64_t base) const;
  void CloseVaried();

  std::byte* const memory_;
  const size_t room_;
  const size_t data_room_;
  const bool brings_data_;
  const bool joins_;
  size_t size_ = 0;     // bytes of the packet, open block included
  size_t written_ = 0;  // bytes in memory_
  size_t noted_ = 0;
  std::array<Noted, kMaxNoted> notes_;
  size_t data_ = 0;
  uint64_t varied_base_ = 0;
  size_t varied_ = 0;  // number of pieces in the open block
  std::array<PacketPiece, kMaxPieces> pieces_;
  struct Source {
    const std::byte* from;
    size_t nbytes;
  };
  size_t num_sources_ = 0;  // sources for the open block of a put, in order
  std::array<Source, kMaxPieces> sources_;
};

}  // namespace gasnet::vis

#endif  // VIS_PACKET_WRITER_H_
