#include "vis/packet.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace gasnet::vis {
namespace {

template <class T>
T Read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

size_t EntryBytes(Layout layout) {
  switch (layout) {
    case Layout::kRows:
      return 0;
    case Layout::kListed:
      return sizeof(int32_t);
    case Layout::kVaried:
      return sizeof(Piece);
  }
  return 0;
}

uint64_t AddressOf(const void* pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}
std::byte* PointerTo(uint64_t address) {
  return reinterpret_cast<std::byte*>(address);
}

bool IsNear(uint64_t base, uint64_t address) {
  const auto offset = static_cast<int64_t>(address - base);
  return offset == static_cast<int32_t>(offset);
}
int32_t OffsetOf(uint64_t base, uint64_t address) {
  return static_cast<int32_t>(address - base);
}
uint64_t Moved(uint64_t base, int32_t offset) {
  return base + static_cast<uint64_t>(int64_t{offset});
}

}  // namespace

// --- Writing ---

size_t PacketWriter::LargestRun(size_t room, size_t data_room) {
  constexpr size_t kDescription = sizeof(Head) + sizeof(Piece);
  return room < kDescription ? 0 : std::min(room - kDescription, data_room);
}

size_t PacketWriter::Fit(size_t each, size_t run, size_t count) const {
  if (room_ - size_ < sizeof(Head)) return 0;
  const size_t room = room_ - size_ - sizeof(Head);
  const size_t described = each + (brings_data_ ? run : 0);
  const size_t most = std::numeric_limits<uint32_t>::max();
  const size_t fit = described > 0 ? room / described : count;
  return std::min({fit, (data_room_ - data_) / run, count, most});
}

void PacketWriter::Write(const void* from, size_t nbytes) {
  std::memcpy(memory_ + written_, from, nbytes);
  written_ += nbytes;
  size_ += nbytes;
}

void PacketWriter::Copy(std::byte* to, const Noted& data) {
  if (data.list != nullptr) {
    Gather(to, data.list, data.run, data.count);
  } else {
    CopyRow({to, data.run, data.rows, data.stride, data.run, data.count});
  }
}

void PacketWriter::Bring(const Noted& data) {
  const size_t nbytes = data.run * data.count;
  size_ += nbytes;
  if (nbytes >= kLeastNoted && noted_ < kMostNoted) {
    notes_[noted_++] = data;
    return;
  }
  Copy(memory_ + written_, data);
  written_ += nbytes;
}

void PacketWriter::GatherTo(std::byte* to) const {
  size_t at = 0;
  for (size_t i = 0; i < noted_; ++i) {
    const Noted& data = notes_[i];
    std::memcpy(to, memory_ + at, data.written - at);
    to += data.written - at;
    at = data.written;
    Copy(to, data);
    to += data.run * data.count;
  }
  std::memcpy(to, memory_ + at, written_ - at);
}

size_t PacketWriter::AddRow(const RemoteRow& row, const std::byte* local,
                            size_t local_stride) {
  if (IsShort(row)) return AddRuns(row, local, local_stride);
  CloseVaried();
  const size_t count = Fit(0, row.run, row.count);
  if (count == 0) return 0;
  // What is contiguous at the target is one run to it.
  const bool is_one = joins_ && row.stride == row.run;
  const size_t run = is_one ? count * row.run : row.run;
  const Head head = {row.base,
                     row.stride,
                     Layout::kRows,
                     static_cast<uint32_t>(run),
                     is_one ? 1 : static_cast<uint32_t>(count),
                     0};
  Write(&head, sizeof head);
  data_ += count * row.run;
  if (brings_data_) {
    Bring({written_, nullptr, local, local_stride, row.run, count});
  }
  return count;
}

size_t PacketWriter::FitListed(void* const* bases, size_t run,
                               size_t count) const {
  const size_t fit = Fit(sizeof(int32_t), run, count);
  const uint64_t base = AddressOf(bases[0]);
  size_t near = 0;
  while (near < fit && IsNear(base, AddressOf(bases[near]))) ++near;
  return near;
}

void PacketWriter::BeginListed(void* const* bases, size_t run, size_t count) {
  const uint64_t base = AddressOf(bases[0]);
  const Head head = {base,
                     0,
                     Layout::kListed,
                     static_cast<uint32_t>(run),
                     static_cast<uint32_t>(count),
                     0};
  Write(&head, sizeof head);
  for (size_t i = 0; i < count; ++i) {
    const int32_t offset = OffsetOf(base, AddressOf(bases[i]));
    Write(&offset, sizeof offset);
  }
  data_ += count * run;
}

size_t PacketWriter::AddListed(void* const* bases, size_t run, size_t count,
                               const std::byte* local) {
  CloseVaried();
  const size_t fit = FitListed(bases, run, count);
  if (fit == 0) return 0;
  BeginListed(bases, run, fit);
  if (brings_data_) Bring({written_, nullptr, local, 0, fit * run, 1});
  return fit;
}

size_t PacketWriter::AddListed(void* const* bases, size_t run, size_t count,
                               void* const* locals) {
  CloseVaried();
  const size_t fit = FitListed(bases, run, count);
  if (fit == 0) return 0;
  BeginListed(bases, run, fit);
  if (brings_data_) Bring({written_, locals, nullptr, 0, run, fit});
  return fit;
}

bool PacketWriter::IsShort(const RemoteRow& row) const {
  if (row.count * sizeof(Piece) < sizeof(Head)) return true;
  return joins_ && row.stride == row.run && row.count < kLeastNoted / row.run;
}

size_t PacketWriter::AddRuns(const RemoteRow& row, const std::byte* local,
                             size_t local_stride) {
  for (size_t i = 0; i < row.count; ++i) {
    const std::byte* const from =
        brings_data_ ? local + i * local_stride : nullptr;
    if (!AddRun(row.base + i * row.stride, row.run, from)) return i;
  }
  return row.count;
}

bool PacketWriter::Follows(uint64_t base) const {
  if (!joins_ || varied_ == 0) return false;
  const Piece& last = pieces_[varied_ - 1];
  return base == Moved(varied_base_, last.offset) + last.run;
}

bool PacketWriter::AddRun(uint64_t base, size_t run, const std::byte* local) {
  if (varied_ == kMostPieces || num_sources_ == kMostPieces ||
      (varied_ > 0 && !IsNear(varied_base_, base))) {
    CloseVaried();
  }
  const bool follows = Follows(base);
  const size_t head = varied_ == 0 ? sizeof(Head) : 0;
  const size_t wanted =
      (follows ? 0 : head + sizeof(Piece)) + (brings_data_ ? run : 0);
  if (wanted > room_ - size_ || run > data_room_ - data_) return false;
  if (follows) {
    pieces_[varied_ - 1].run += static_cast<uint32_t>(run);
  } else {
    if (varied_ == 0) varied_base_ = base;
    pieces_[varied_++] = {OffsetOf(varied_base_, base),
                          static_cast<uint32_t>(run)};
  }
  if (brings_data_) sources_[num_sources_++] = {local, run};
  size_ += wanted;
  data_ += run;
  return true;
}

void PacketWriter::CloseVaried() {
  if (varied_ == 0) return;
  size_t all = 0;
  for (size_t i = 0; i < varied_; ++i) all += pieces_[i].run;
  size_ -= sizeof(Head) + varied_ * sizeof(Piece) + (brings_data_ ? all : 0);
  const Head head = {
      varied_base_, 0, Layout::kVaried, 0, static_cast<uint32_t>(varied_), 0};
  Write(&head, sizeof head);
  Write(pieces_.data(), varied_ * sizeof(Piece));
  for (size_t i = 0; i < num_sources_; ++i) {
    Bring({written_, nullptr, sources_[i].from, 0, sources_[i].nbytes, 1});
  }
  varied_ = 0;
  num_sources_ = 0;
}

void PacketWriter::Clear() {
  size_ = 0;
  written_ = 0;
  noted_ = 0;
  data_ = 0;
  varied_ = 0;
  num_sources_ = 0;
}

// --- Reading ---

const char* Packet::Next(size_t& at, Block& block) const {
  const size_t left = bytes_.size() - at;
  if (left < sizeof(Head)) return "a block's head is cut off";
  block.head = Read<Head>(bytes_.data() + at);
  const Head& head = block.head;
  if (head.layout > Layout::kVaried || head.reserved != 0) {
    return "a block is of an unknown kind";
  }
  const bool varies = head.layout == Layout::kVaried;
  if (head.count == 0 || varies != (head.run == 0)) {
    return "a block is of no bytes";
  }
  const uint64_t entries = uint64_t{head.count} * EntryBytes(head.layout);
  if (entries > left - sizeof(Head)) return "a block's list is cut off";
  block.entries = bytes_.data() + at + sizeof(Head);
  block.nbytes = uint64_t{head.count} * head.run;
  for (uint32_t i = 0; varies && i < head.count; ++i) {
    block.nbytes += Read<Piece>(block.entries + i * sizeof(Piece)).run;
  }
  block.data = block.entries + entries;
  at += sizeof(Head) + entries;
  if (!brings_data_) return nullptr;
  if (block.nbytes > bytes_.size() - at) return "a block's data are cut off";
  at += block.nbytes;
  return nullptr;
}

Packet::Refusal Packet::CheckRuns(const Block& block, const Segment& segment) {
  constexpr const char* kOutside = "memory outside the segment";
  const Head& head = block.head;
  const auto check = [&](uint64_t address, uint64_t nbytes) {
    return segment.Contains(address, nbytes)
               ? Refusal()
               : Refusal{kOutside, address, nbytes};
  };
  if (head.layout == Layout::kRows) {
    uint64_t last;
    if (__builtin_mul_overflow(head.stride, uint64_t{head.count - 1}, &last) ||
        __builtin_add_overflow(last, head.base, &last)) {
      return {kOutside, head.base, head.stride};
    }
    const Refusal first = check(head.base, head.run);
    return first.why != nullptr ? first : check(last, head.run);
  }
  for (uint32_t i = 0; i < head.count; ++i) {
    Piece piece = {0, head.run};
    if (head.layout == Layout::kVaried) {
      piece = Read<Piece>(block.entries + i * sizeof(Piece));
    } else {
      piece.offset = Read<int32_t>(block.entries + i * sizeof(int32_t));
    }
    const Refusal refusal = check(Moved(head.base, piece.offset), piece.run);
    if (refusal.why != nullptr) return refusal;
  }
  return {};
}

Packet::Refusal Packet::Check(const Segment& segment, size_t data_room) {
  uint64_t all = 0;
  for (size_t at = 0; at < bytes_.size();) {
    Block block;
    if (const char* const why = Next(at, block)) return {why};
    all += block.nbytes;
    if (all > data_room) return {"more bytes than one message takes", 0, all};
    const Refusal refusal = CheckRuns(block, segment);
    if (refusal.why != nullptr) return refusal;
  }
  data_ = all;
  return all > 0 ? Refusal() : Refusal{"no bytes"};
}

namespace {

// Calls f with the address and the bytes of each run of a block.
template <class Block, class F>
void ForEachEntry(const Block& block, F f) {
  const Head& head = block.head;
  for (uint32_t i = 0; i < head.count; ++i) {
    const Piece piece = Read<Piece>(block.entries + i * sizeof(Piece));
    f(PointerTo(Moved(head.base, piece.offset)), piece.run);
  }
}

template <class Block, class F>
void ForEachOffset(const Block& block, F f) {
  const Head& head = block.head;
  WithRun(head.run, [&](auto run) {
    for (uint32_t i = 0; i < head.count; ++i) {
      const auto offset = Read<int32_t>(block.entries + i * sizeof(int32_t));
      f(PointerTo(Moved(head.base, offset)), run);
    }
  });
}

}  // namespace

void Packet::Scatter() const {
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
      case Layout::kRows:
        CopyRow({PointerTo(head.base), head.stride, from, head.run, head.run,
                 head.count});
        break;
      case Layout::kListed:
        ForEachOffset(block, put);
        break;
      case Layout::kVaried:
        ForEachEntry(block, put);
        break;
    }
  }
}

void Packet::GatherTo(std::byte* to) const {
  for (size_t at = 0; at < bytes_.size();) {
    Block block;
    Next(at, block);
    const Head& head = block.head;
    const auto get = [&](const std::byte* from, auto run) {
      std::memcpy(to, from, run);
      to += run;
    };
    switch (head.layout) {
      case Layout::kRows:
        CopyRow({to, head.run, PointerTo(head.base), head.stride, head.run,
                 head.count});
        to += block.nbytes;
        break;
      case Layout::kListed:
        ForEachOffset(block, get);
        break;
      case Layout::kVaried:
        ForEachEntry(block, get);
        break;
    }
  }
}

}  // namespace gasnet::vis
