#include "base/core_dump.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>

namespace gasnet {
namespace {

// One mapping whose used pages go into the core dump. The object is a free slot
// while its base is null. A failing thread may read the slot at any time.
// Therefore the base is set last and cleared first.
struct Mapping {
  int fd = -1;
  off_t offset = 0;
  std::atomic<char*> base{nullptr};
  size_t bytes = 0;
};

// If this table is full, further mappings are left out of the core completely.
std::array<Mapping, 8> mappings;

// Adds the used pages of a mapping to the core. Moves the position of the
// mapping's file. Processes share the file position, but none of them relies on
// it.
void PutIn(const Mapping& mapping) {
  // Acquire: pairs with the store in LeaveUnusedOutOfCore.
  char* const base = mapping.base.load(std::memory_order_acquire);
  if (base == nullptr) return;
  const off_t end = mapping.offset + static_cast<off_t>(mapping.bytes);
  off_t used = mapping.offset;
  while ((used = lseek(mapping.fd, used, SEEK_DATA)) >= 0 && used < end) {
    const off_t hole = std::min(lseek(mapping.fd, used, SEEK_HOLE), end);
    // madvise fails if the kernel's limit on the number of mappings is reached.
    if (hole <= used ||
        madvise(base + (used - mapping.offset),
                static_cast<size_t>(hole - used), MADV_DODUMP) != 0) {
      return;
    }
    used = hole;
  }
}

auto SlotOf(const void* base) {
  return std::ranges::find_if(mappings, [base](const Mapping& each) {
    return each.base.load(std::memory_order_relaxed) == base;
  });
}

}  // namespace

void LeaveOutOfCore(void* base, size_t bytes) {
  // If madvise fails, the core is merely larger.
  if (bytes > 0) madvise(base, bytes, MADV_DONTDUMP);
}

void LeaveUnusedOutOfCore(int fd, uint64_t offset, void* base, size_t bytes) {
  LeaveOutOfCore(base, bytes);
  const auto slot = SlotOf(nullptr);
  if (slot == mappings.end()) return;
  slot->fd = fd;
  slot->offset = static_cast<off_t>(offset);
  slot->bytes = bytes;
  // Release: pairs with the load in PutIn.
  slot->base.store(static_cast<char*>(base), std::memory_order_release);
}

void ForgetMapping(const void* base) {
  const auto slot = SlotOf(base);
  if (slot != mappings.end()) slot->base.store(nullptr);
}

void PutUsedIntoCore() {
  for (const Mapping& each : mappings) PutIn(each);
}

}  // namespace gasnet
