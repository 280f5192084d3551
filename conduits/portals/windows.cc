#include "conduits/portals/windows.h"

#include <sched.h>

#include <bit>

namespace gasnet::portals_conduit {
namespace {

// The largest shift. A larger segment would have to span all memory, and cannot
// be bound.
constexpr int kMaxShift = 62;

}  // namespace

void Windows::Cover(ConduitInterface& interface, const Segment& range,
                    size_t most) {
  if (range.size == 0 || range.size > uintptr_t{1} << kMaxShift) return;
  shift_ = static_cast<int>(std::bit_width(range.size - 1));
  while (((range.size - 1) >> shift_) < most) {
    if (Bind(interface, range)) {
      range_ = range;
      return;
    }
    if (--shift_ < 0) return;
  }
}

// Binds all windows, or none.
bool Windows::Bind(ConduitInterface& interface, const Segment& range) {
  for (uintptr_t offset = 0; offset < range.size;
       offset += uintptr_t{1} << shift_) {
    const size_t bytes =
        std::min<size_t>(uintptr_t{1} << shift_, range.size - offset);
    DescriptorWindow window;
    if (interface.Bind(reinterpret_cast<std::byte*>(range.base) + offset, bytes,
                       window) == BindResult::kYes) {
      windows_.push_back(window);
      continue;
    }
    for (const DescriptorWindow& bound : windows_) {
      // No operation uses this descriptor, so Release() succeeds soon.
      while (!interface.Release(bound)) sched_yield();
    }
    windows_.clear();
    return false;
  }
  return true;
}

}  // namespace gasnet::portals_conduit
