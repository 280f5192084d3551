// Waits for file descriptors.
#ifndef CORE_NETWORK_READABLE_H_
#define CORE_NETWORK_READABLE_H_

#include <cstdint>

namespace gasnet::network {

// Blocks until one of the descriptors is readable or `nanos` nanoseconds have
// passed (kNever: no limit). May return spuriously. Negative descriptors are
// ignored.
void AwaitReadable(int first, int second, int64_t nanos);

}  // namespace gasnet::network

#endif  // CORE_NETWORK_READABLE_H_
