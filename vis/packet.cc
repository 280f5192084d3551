#include "vis/packet.h"

#include <cstring>

#include "vis/copy.h"

namespace gasnet::vis {
namespace {

template <class T>
T Read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

size_t EntryBytes(PacketLayout layout) {
  switch (layout) {
    case PacketLayout::kRows:
      return 0;
    case PacketLayout::kListed:
      return sizeof(int32_t);
    case PacketLayout::kVaried:
      return sizeof(PacketPiece);
  }
  return 0;
}

std::byte* PointerTo(uint64_t address) {
  return reinterpret_cast<std::byte*>(address);
}

}  // namespace

const char* VisPacket::Next(size_t& at, Block& block) const {
  const size_t left = bytes_.size() - at;
  if (left < sizeof(Head)) return "a block's head is cut off";
  block.head = Read<Head>(bytes_.data() + at);
  const Head& head = block.head;
  if (head.layout > PacketLayout::kVaried || head.reserved != 0) {
    return "a block is of an unknown kind";
  }
  const bool varies = head.layout == PacketLayout::kVaried;
  if (head.count == 0 || varies != (head.run == 0)) {
    return "a block is of no bytes";
  }
  // A block of one run repeats nothing, so any stride is valid. Clears the
  // stride: a pointer that moves by it might leave the address space.
  if (head.count == 1) block.head.stride = 0;
  const uint64_t entries = uint64_t{head.count} * EntryBytes(head.layout);
  if (entries > left - sizeof(Head)) return "a block's list is cut off";
  block.entries = bytes_.data() + at + sizeof(Head);
  block.nbytes = uint64_t{head.count} * head.run;
  for (uint32_t i = 0; varies && i < head.count; ++i) {
    block.nbytes +=
        Read<PacketPiece>(block.entries + i * sizeof(PacketPiece)).run;
  }
  block.data = block.entries + entries;
  at += sizeof(Head) + entries;
  if (!brings_data_) return nullptr;
  if (block.nbytes > bytes_.size() - at) return "a block's data are cut off";
  at += block.nbytes;
  return nullptr;
}

VisPacket::Refusal VisPacket::CheckRuns(const Block& block,
                                        const Segment& segment,
                                        const FurtherSegments* others) {
  constexpr const char* kOutside = "memory outside the segment";
  const Head& head = block.head;
  const auto check = [&](uint64_t address, uint64_t nbytes) {
    return segment.Contains(address, nbytes) ||
                   (others != nullptr && others->Contains(address, nbytes))
               ? Refusal()
               : Refusal{kOutside, address, nbytes};
  };
  if (head.layout == PacketLayout::kRows) {
    int64_t steps;
    uint64_t last;
    if (__builtin_mul_overflow(head.stride, head.count - 1, &steps) ||
        __builtin_add_overflow(head.base, steps, &last)) {
      return {kOutside, head.base, head.run};
    }
    const Refusal first = check(head.base, head.run);
    return first.why != nullptr ? first : check(last, head.run);
  }
  for (uint32_t i = 0; i < head.count; ++i) {
    PacketPiece piece = {0, head.run};
    if (head.layout == PacketLayout::kVaried) {
      piece = Read<PacketPiece>(block.entries + i * sizeof(PacketPiece));
    } else {
      piece.offset = Read<int32_t>(block.entries + i * sizeof(int32_t));
    }
    const Refusal refusal = check(Moved(head.base, piece.offset), piece.run);
    if (refusal.why != nullptr) return refusal;
  }
  return {};
}

VisPacket::Refusal VisPacket::Check(const Segment& segment, size_t data_room,
                                    const FurtherSegments* others) {
  uint64_t all = 0;
  for (size_t at = 0; at < bytes_.size();) {
    Block block;
    if (const char* const why = Next(at, block)) return {why};
    all += block.nbytes;
    if (all > data_room) return {"more bytes than one message takes", 0, all};
    const Refusal refusal = CheckRuns(block, segment, others);
    if (refusal.why != nullptr) return refusal;
  }
  data_ = all;
  return all > 0 ? Refusal() : Refusal{"no bytes"};
}

namespace {

// Call f with the address and the size of each run of a block. These functions
// copy the block's head first. f may write to any memory, so a head behind a
// reference would be loaded again for each run.
template <class Block, class F>
void ForEachEntry(const Block& block, F f) {
  const Head head = block.head;
  const std::byte* const entries = block.entries;
  for (uint32_t i = 0; i < head.count; ++i) {
    const PacketPiece piece =
        Read<PacketPiece>(entries + i * sizeof(PacketPiece));
    f(PointerTo(Moved(head.base, piece.offset)), piece.run);
  }
}

template <class Block, class F>
void ForEachOffset(const Block& block, F f) {
  const Head head = block.head;
  const std::byte* const entries = block.entries;
  WithRun(head.run, [=](auto run) mutable {
    for (uint32_t i = 0; i < head.count; ++i) {
      const auto offset = Read<int32_t>(entries + i * sizeof(int32_t));
      f(PointerTo(Moved(head.base, offset)), run);
    }
  });
}

}  // namespace

void VisPacket::Scatter() const {
  for (size_t at = 0; at < bytes_.size();) {
    Block block;
    Next(at, block);
    const Head& head = block.head;
    const std::byte* from = block.data;
    const auto put = [&](std::byte* to, auto run) {
      std::memcpy(to, from, run);
      from += run;
    };
    switch (head.layout) {
      case PacketLayout::kRows:
        CopyRow(Scattered(PointerTo(head.base), head.stride, from, head.run,
                          head.count));
        break;
      case PacketLayout::kListed:
        ForEachOffset(block, put);
        break;
      case PacketLayout::kVaried:
        ForEachEntry(block, put);
        break;
    }
  }
}

Dim VisPacket::Repeats(const Row& row, size_t& at) const {
  Dim outer = {1, static_cast<ptrdiff_t>(row.run * row.count), 0};
  uint64_t last = reinterpret_cast<uintptr_t>(row.from);
  for (size_t next = at; next < bytes_.size(); at = next) {
    Block block;
    Next(next, block);
    const Head& head = block.head;
    if (head.layout != PacketLayout::kRows || head.stride != row.from_stride ||
        head.run != row.run || head.count != row.count) {
      break;
    }
    const Dim apart = {1, outer.to_stride,
                       static_cast<ptrdiff_t>(head.base - last)};
    if (outer.count == 1 ? !IsTransposed(row, apart)
                         : apart.from_stride != outer.from_stride) {
      break;
    }
    outer.from_stride = apart.from_stride;
    ++outer.count;
    last = head.base;
  }
  return outer;
}

void VisPacket::GatherTo(std::byte* to) const {
  for (size_t at = 0; at < bytes_.size();) {
    Block block;
    Next(at, block);
    const Head& head = block.head;
    const auto get = [&](const std::byte* from, auto run) {
      std::memcpy(to, from, run);
      to += run;
    };
    switch (head.layout) {
      case PacketLayout::kRows: {
        const Row row = Gathered(to, PointerTo(head.base), head.stride,
                                 head.run, head.count);
        const Dim outer = Repeats(row, at);
        CopyPlane(row, outer);
        to += outer.count * block.nbytes;
        break;
      }
      case PacketLayout::kListed:
        ForEachOffset(block, get);
        break;
      case PacketLayout::kVaried:
        ForEachEntry(block, get);
        break;
    }
  }
}

}  // namespace gasnet::vis
