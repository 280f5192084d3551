#include "base/core_dump.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>

namespace gasnet {
namespace {

struct Mapping {
  int fd;
  off_t offset;
  char* base;
  size_t bytes;
};

// More are left out whole.
std::array<Mapping, 8> mappings;
std::atomic<size_t> mapping_count{0};

// The files' positions, which processes share, are nobody's.
void PutIn(const Mapping& mapping) {
  const off_t end = mapping.offset + static_cast<off_t>(mapping.bytes);
  off_t used = mapping.offset;
  while ((used = lseek(mapping.fd, used, SEEK_DATA)) >= 0 && used < end) {
    const off_t hole = std::min(lseek(mapping.fd, used, SEEK_HOLE), end);
    // The kernel has a limit to the number of parts.
    if (hole <= used ||
        madvise(mapping.base + (used - mapping.offset),
                static_cast<size_t>(hole - used), MADV_DODUMP) != 0) {
      return;
    }
    used = hole;
  }
}

}  // namespace

void LeaveOutOfCore(void* base, size_t bytes) {
  // Without it the core is larger.
  if (bytes > 0) madvise(base, bytes, MADV_DONTDUMP);
}

void LeaveUnusedOutOfCore(int fd, uint64_t offset, void* base, size_t bytes) {
  LeaveOutOfCore(base, bytes);
  const size_t at = mapping_count.load(std::memory_order_relaxed);
  if (at == mappings.size()) return;
  mappings[at] = {fd, static_cast<off_t>(offset), static_cast<char*>(base),
                  bytes};
  // Pairs with PutUsedIntoCore.
  mapping_count.store(at + 1, std::memory_order_release);
}

void PutUsedIntoCore() {
  const size_t count = mapping_count.load(std::memory_order_acquire);
  for (size_t i = 0; i < count; ++i) PutIn(mappings[i]);
}

}  // namespace gasnet
