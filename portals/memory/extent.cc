#include "portals/memory/extent.h"

#include <algorithm>
#include <cstring>

#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

// A contiguous piece of an extent, from an offset on.
struct ExtentPiece {
  uint64_t start = 0;
  uint64_t size = 0;  // 0: the offset lies behind the last element
};

ExtentPiece PieceAt(const Extent& extent, uint64_t offset, uint64_t size) {
  if (extent.iov == nullptr) return {extent.start + offset, size};
  for (uint32_t i = 0; i < extent.iov_count; ++i) {
    const IovRecord element = extent.iov[i];
    if (offset < element.length) {
      return {element.start + offset, std::min(size, element.length - offset)};
    }
    offset -= element.length;
  }
  return {};
}

std::byte* TouchablePiece(const Extent& extent, ExtentPiece piece,
                          Access access) {
  return internal::TouchableAt(extent, piece.start, piece.size, access);
}

// Calls `call` with each contiguous piece and the piece's offset in the whole
// extent.
template <class Call>
bool ForPieces(const Extent& extent, uint64_t offset, uint64_t size,
               Call call) {
  for (uint64_t done = 0; done < size;) {
    const ExtentPiece piece = PieceAt(extent, offset + done, size - done);
    if (piece.size == 0 || !call(piece, done)) return false;
    done += piece.size;
  }
  return true;
}

bool CopyByBounce(const Extent& to, uint64_t to_offset, const Extent& from,
                  uint64_t from_offset, uint64_t size) {
  std::byte bounce[kBounceBytes];
  for (uint64_t done = 0; done < size;) {
    const uint64_t part = std::min<uint64_t>(size - done, sizeof bounce);
    if (!CopyOut(bounce, from, from_offset + done, part) ||
        !CopyIn(to, to_offset + done, bounce, part)) {
      return false;
    }
    done += part;
  }
  return true;
}

}  // namespace

std::byte* internal::TouchableOfMany(const Extent& extent, uint64_t offset,
                                     uint64_t size, Access access) {
  const ExtentPiece piece = PieceAt(extent, offset, size);
  if (piece.size != size) return nullptr;
  return TouchablePiece(extent, piece, access);
}

bool CopyOut(void* to, const Extent& from, uint64_t offset, uint64_t size) {
  return ForPieces(from, offset, size, [&](ExtentPiece piece, uint64_t done) {
    auto* const at = static_cast<std::byte*>(to) + done;
    const std::byte* const source = TouchablePiece(from, piece, Access::kRead);
    // The memory may still exist: perhaps this process has not mapped it, or
    // the check lacked a descriptor. The kernel's copy decides.
    if (source == nullptr) {
      return from.space->Read(piece.start, at, piece.size);
    }
    std::memmove(at, source, piece.size);
    return true;
  });
}

bool CopyIn(const Extent& to, uint64_t offset, const void* from,
            uint64_t size) {
  return ForPieces(to, offset, size, [&](ExtentPiece piece, uint64_t done) {
    const auto* const at = static_cast<const std::byte*>(from) + done;
    std::byte* const target = TouchablePiece(to, piece, Access::kWrite);
    if (target == nullptr) {
      return to.space->Write(piece.start, at, piece.size);
    }
    std::memmove(target, at, piece.size);
    return true;
  });
}

bool Copy(const Extent& to, uint64_t to_offset, const Extent& from,
          uint64_t from_offset, uint64_t size) {
  if (size == 0) return true;
  // In nearly all cases, one of the two extents is in one piece, and this
  // process can touch it.
  if (const std::byte* const source =
          Touchable(from, from_offset, size, Access::kRead)) {
    return CopyIn(to, to_offset, source, size);
  }
  if (std::byte* const target =
          Touchable(to, to_offset, size, Access::kWrite)) {
    return CopyOut(target, from, from_offset, size);
  }
  return CopyByBounce(to, to_offset, from, from_offset, size);
}

}  // namespace gasnet::portals4
