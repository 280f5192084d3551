// Memory for frames: aligned as frames are, and not touched before it is used.
#ifndef CONDUITS_OFI_ALIGNED_BYTES_H_
#define CONDUITS_OFI_ALIGNED_BYTES_H_

#include <cstddef>
#include <cstdlib>
#include <memory>

#include "base/log.h"
#include "base/memory_limit.h"

namespace gasnet::ofi {

inline constexpr size_t kFrameAlignment = 64;

struct FreeBytes {
  void operator()(std::byte* bytes) const { std::free(bytes); }
};
using AlignedBytes = std::unique_ptr<std::byte[], FreeBytes>;

// `nbytes`: a multiple of kFrameAlignment. Ends the job with a message if there
// is no memory.
inline AlignedBytes MakeAlignedBytes(size_t nbytes) {
  auto* const bytes =
      static_cast<std::byte*>(std::aligned_alloc(kFrameAlignment, nbytes));
  if (bytes == nullptr) {
    Fatal("no memory of %zu bytes for messages through libfabric%s", nbytes,
          DescribeMemory().text);
  }
  return AlignedBytes(bytes);
}

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_ALIGNED_BYTES_H_
