// Memory for frames, aligned as frames require. Its pages take no physical
// memory before they are used.
#ifndef CONDUITS_OFI_ALIGNED_BYTES_H_
#define CONDUITS_OFI_ALIGNED_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>

#include "base/log.h"
#include "base/memory_limit.h"
#include "base/round_up.h"

namespace gasnet::ofi {

inline constexpr size_t kFrameAlignment = 64;

struct FreeBytes {
  void operator()(std::byte* bytes) const { std::free(bytes); }
};
using AlignedBytes = std::unique_ptr<std::byte[], FreeBytes>;

// Allocates `nbytes` bytes, a multiple of kFrameAlignment. Ends the job with a
// message if there is no memory.
inline AlignedBytes MakeAlignedBytes(size_t nbytes) {
  auto* const bytes =
      static_cast<std::byte*>(std::aligned_alloc(kFrameAlignment, nbytes));
  if (bytes == nullptr) {
    Fatal("no memory of %zu bytes for messages through libfabric%s", nbytes,
          DescribeMemory().text);
  }
  return AlignedBytes(bytes);
}

// Returns true if the frame is aligned to 16 bytes and can be read in place. A
// frame that is not aligned must be read from a copy.
inline bool IsAligned(std::span<const std::byte> frame) {
  return reinterpret_cast<uintptr_t>(frame.data()) % 16 == 0;
}
inline AlignedBytes CopyAligned(std::span<const std::byte> frame) {
  AlignedBytes copy = MakeAlignedBytes(RoundUp(frame.size(), kFrameAlignment));
  std::memcpy(copy.get(), frame.data(), frame.size());
  return copy;
}

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_ALIGNED_BYTES_H_
