// Elements of iovecs. They are copied into an interface's shared memory,
// because the process that executes an operation must read them.
#ifndef PORTALS_API_IOV_H_
#define PORTALS_API_IOV_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "portals/api/interface.h"
#include "portals4.h"

namespace gasnet::portals4 {

// Copies `elements` elements of type ptl_iovec_t from `start` into a block of
// shared memory. Stores this block in `block`, and the total bytes of the
// elements in `bytes`. Returns PTL_OK, PTL_ARG_INVALID or PTL_NO_SPACE.
int StoreIov(Interface& interface, const void* start, ptl_size_t elements,
             Arena::Block& block, uint64_t& bytes)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(interface.setup);

// Frees the elements of entries that have been unlinked automatically.
void SweepIovs(Interface& interface)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(interface.setup);

}  // namespace gasnet::portals4

#endif  // PORTALS_API_IOV_H_
