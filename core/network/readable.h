// Waiting for file descriptors.
#ifndef CORE_NETWORK_READABLE_H_
#define CORE_NETWORK_READABLE_H_

#include <cstdint>

namespace gasnet::network {

// Until one of the descriptors, of which a negative one is none, is readable,
// so many nanoseconds have passed (kNever: without a limit), or spuriously.
void AwaitReadable(int first, int second, int64_t nanos);

}  // namespace gasnet::network

#endif  // CORE_NETWORK_READABLE_H_
