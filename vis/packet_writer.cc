#include "vis/packet_writer.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "vis/copy.h"
#include "vis/tuning.h"

namespace gasnet::vis {
namespace {

uint64_t AddressOf(const void* pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

bool IsNear(uint64_t base, uint64_t address) {
  const auto offset = static_cast<int64_t>(address - base);
  return offset == static_cast<int32_t>(offset);
}
int32_t OffsetOf(uint64_t base, uint64_t address) {
  return static_cast<int32_t>(address - base);
}

}  // namespace

size_t PacketWriter::LargestRun(size_t room, size_t data_room) {
  constexpr size_t kDescription = sizeof(Head) + sizeof(PacketPiece);
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
    CopyRow(Gathered(to, data.rows, data.stride, data.run, data.count));
  }
}

void PacketWriter::Bring(const Noted& data) {
  const size_t nbytes = data.run * data.count;
  size_ += nbytes;
  if (nbytes >= kMinNoted && noted_ < kMaxNoted) {
    notes_[noted_++] = data;
    return;
  }
  Copy(memory_ + written_, data);
  written_ += nbytes;
}

Dim PacketWriter::FromLast(size_t i) const {
  const Noted& data = notes_[i];
  const Noted& last = notes_[i - 1];
  return {1,
          static_cast<ptrdiff_t>(data.written - last.written +
                                 last.run * last.count),
          static_cast<ptrdiff_t>(AddressOf(data.rows) - AddressOf(last.rows))};
}

size_t PacketWriter::RowsOfPlane(size_t first) const {
  const Noted& row = notes_[first];
  size_t i = first + 1;
  if (row.list != nullptr || i >= noted_) return 1;
  const Dim apart = FromLast(i);
  if (!IsTransposed(Gathered(nullptr, row.rows, row.stride, row.run, 1),
                    apart)) {
    return 1;
  }
  for (; i < noted_; ++i) {
    const Noted& next = notes_[i];
    const Dim from_last = FromLast(i);
    if (next.list != nullptr || next.stride != row.stride ||
        next.run != row.run || next.count != row.count ||
        from_last.to_stride != apart.to_stride ||
        from_last.from_stride != apart.from_stride) {
      break;
    }
  }
  return i - first;
}

// Copies the packet. If rows form a plane, copies the plane as a whole, and
// then the rows' descriptions to the places between the rows.
void PacketWriter::GatherTo(std::byte* to) const {
  size_t at = 0;
  const auto copy_written = [&](size_t end) {
    std::memcpy(to, memory_ + at, end - at);
    to += end - at;
    at = end;
  };
  for (size_t i = 0; i < noted_;) {
    const Noted& data = notes_[i];
    const size_t rows = RowsOfPlane(i);
    copy_written(data.written);
    if (rows == 1) {
      Copy(to, data);
    } else {
      Dim outer = FromLast(i + 1);
      outer.count = rows;
      CopyPlane(Gathered(to, data.rows, data.stride, data.run, data.count),
                outer);
    }
    to += data.run * data.count;
    for (const size_t end = i + rows; ++i < end; to += data.run * data.count) {
      copy_written(notes_[i].written);
    }
  }
  copy_written(written_);
}

size_t PacketWriter::AddRow(const RemoteRow& row, const std::byte* local,
                            ptrdiff_t local_stride) {
  if (IsShort(row)) return AddRuns(row, local, local_stride);
  CloseVaried();
  const size_t count = Fit(0, row.run, row.count);
  if (count == 0) return 0;
  // A row that is contiguous at the target is written as one run.
  const bool is_one = joins_ && row.stride == static_cast<ptrdiff_t>(row.run);
  const size_t run = is_one ? count * row.run : row.run;
  const Head head = {row.base,
                     row.stride,
                     PacketLayout::kRows,
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
                     PacketLayout::kListed,
                     static_cast<uint32_t>(run),
                     static_cast<uint32_t>(count),
                     0};
  Write(&head, sizeof head);
  std::byte* const offsets = memory_ + written_;
  for (size_t i = 0; i < count; ++i) {
    const int32_t offset = OffsetOf(base, AddressOf(bases[i]));
    std::memcpy(offsets + i * sizeof offset, &offset, sizeof offset);
  }
  written_ += count * sizeof(int32_t);
  size_ += count * sizeof(int32_t);
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
  if (row.count * sizeof(PacketPiece) < sizeof(Head)) return true;
  return joins_ && row.stride == static_cast<ptrdiff_t>(row.run) &&
         row.count < kMinNoted / row.run;
}

size_t PacketWriter::AddRuns(const RemoteRow& row, const std::byte* local,
                             ptrdiff_t local_stride) {
  for (size_t i = 0; i < row.count; ++i) {
    const std::byte* const from =
        brings_data_ ? local + Steps(i, local_stride) : nullptr;
    const auto steps = static_cast<uint64_t>(Steps(i, row.stride));
    if (!AddRun(row.base + steps, row.run, from)) return i;
  }
  return row.count;
}

bool PacketWriter::Follows(uint64_t base) const {
  if (!joins_ || varied_ == 0) return false;
  const PacketPiece& last = pieces_[varied_ - 1];
  return base == Moved(varied_base_, last.offset) + last.run;
}

bool PacketWriter::AddRun(uint64_t base, size_t run, const std::byte* local) {
  if (varied_ == kMaxPieces || num_sources_ == kMaxPieces ||
      (varied_ > 0 && !IsNear(varied_base_, base))) {
    CloseVaried();
  }
  const bool follows = Follows(base);
  const size_t head = varied_ == 0 ? sizeof(Head) : 0;
  const size_t wanted =
      (follows ? 0 : head + sizeof(PacketPiece)) + (brings_data_ ? run : 0);
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
  size_ -=
      sizeof(Head) + varied_ * sizeof(PacketPiece) + (brings_data_ ? all : 0);
  const Head head = {varied_base_,
                     0,
                     PacketLayout::kVaried,
                     0,
                     static_cast<uint32_t>(varied_),
                     0};
  Write(&head, sizeof head);
  Write(pieces_.data(), varied_ * sizeof(PacketPiece));
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

}  // namespace gasnet::vis
