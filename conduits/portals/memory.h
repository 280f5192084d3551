// Memory for buffers, from the system, which is zero and only there when it is
// touched. It stays until the process ends.
#ifndef CONDUITS_PORTALS_MEMORY_H_
#define CONDUITS_PORTALS_MEMORY_H_

#include <cstddef>

#include "absl/status/statusor.h"

namespace gasnet::portals {

// A descriptor of the file stays open: a Portals in software has peers map it.
absl::StatusOr<std::byte*> MapBuffers(size_t least);

}  // namespace gasnet::portals

#endif  // CONDUITS_PORTALS_MEMORY_H_
