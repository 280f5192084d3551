#include "portals/api/iov.h"

#include <algorithm>
#include <cstring>

#include "absl/base/thread_annotations.h"

namespace gasnet::portals4 {

void SweepIovs(Interface& interface) {
  const auto is_over = [&](const Interface::IovBlock& block)
                           ABSL_EXCLUSIVE_LOCKS_REQUIRED(interface.setup) {
                             const EntryRecord& entry =
                                 *interface.view().EntryAt(block.slot);
                             if (entry.slot.phase() != RecordPhase::kFree &&
                                 entry.slot.generation() == block.generation) {
                               return false;
                             }
                             interface.iovs.Give(block.elements);
                             return true;
                           };
  std::erase_if(interface.entry_iovs, is_over);
}

int StoreIov(Interface& interface, const void* start, ptl_size_t elements,
             Arena::Block& block, uint64_t& bytes) {
  if (elements > static_cast<uint64_t>(interface.limits().max_iovecs) ||
      (elements > 0 && start == nullptr)) {
    return PTL_ARG_INVALID;
  }
  SweepIovs(interface);
  // An empty iovec also takes one element, because every iovec needs an index.
  const auto size = static_cast<uint32_t>(std::max<uint64_t>(elements, 1));
  const std::optional<uint32_t> first = interface.iovs.Take(size);
  if (!first.has_value()) return PTL_NO_SPACE;
  IovRecord* const records = interface.view().Iovs(*first, size);
  records[0] = {};
  bytes = 0;
  for (uint32_t i = 0; i < elements; ++i) {
    ptl_iovec_t element;
    std::memcpy(&element, static_cast<const ptl_iovec_t*>(start) + i,
                sizeof element);
    records[i] = {reinterpret_cast<uint64_t>(element.iov_base),
                  element.iov_len};
    bytes += element.iov_len;
  }
  block = {*first, size};
  return PTL_OK;
}

}  // namespace gasnet::portals4
