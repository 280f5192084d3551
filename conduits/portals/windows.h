// The descriptors that permanently cover one range of memory. There is one
// descriptor, or as many as Portals needs. All descriptors cover the same
// number of bytes, except that the last may cover fewer.
#ifndef CONDUITS_PORTALS_WINDOWS_H_
#define CONDUITS_PORTALS_WINDOWS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conduits/portals/conduit_interface.h"
#include "core/segment.h"

namespace gasnet::portals_conduit {

class Windows {
 public:
  // Binds the descriptors. Covers nothing if Portals would need more than
  // `most` descriptors. Called only during set-up.
  void Cover(ConduitInterface& interface, const Segment& range, size_t most);

  size_t size() const { return windows_.size(); }

  // Returns the window that covers this address; null if there is none.
  const DescriptorWindow* Of(const void* address) const {
    const uintptr_t offset = OffsetOf(address);
    return offset < range_.size ? &windows_[offset >> shift_] : nullptr;
  }
  // Returns the number of these bytes that lie in the window of the first byte.
  // Requires that a window covers the first byte.
  size_t Covered(const void* address, size_t nbytes) const {
    const uintptr_t offset = OffsetOf(address);
    const uintptr_t end =
        std::min(((offset >> shift_) + 1) << shift_, range_.size);
    return std::min<size_t>(nbytes, end - offset);
  }

 private:
  uintptr_t OffsetOf(const void* address) const {
    return reinterpret_cast<uintptr_t>(address) - range_.base;
  }
  bool Bind(ConduitInterface& interface, const Segment& range);

  Segment range_;  // size 0 if nothing is covered
  int shift_ = 0;  // a window has 1 << shift_ bytes, the last one maybe fewer
  std::vector<DescriptorWindow> windows_;
};

}  // namespace gasnet::portals_conduit

#endif  // CONDUITS_PORTALS_WINDOWS_H_
