#include "core/thread/scratch.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "base/cache_line.h"
#include "base/log.h"

namespace gasnet::thread {

void Scratch::Grow(size_t nbytes) {
  // Rounds up to a power of two, so that slowly growing sizes cause few
  // allocations.
  const size_t capacity = std::bit_ceil(std::max(nbytes, kCacheLine));
  std::free(memory_);
  memory_ = std::aligned_alloc(kCacheLine, capacity);
  if (memory_ == nullptr) {
    Fatal(
        "out of memory: a thread needs %zu bytes for a message to its own "
        "node",
        capacity);
  }
  capacity_ = capacity;
}

}  // namespace gasnet::thread
