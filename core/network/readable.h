// Waits for file descriptors.
#ifndef CORE_NETWORK_READABLE_H_
#define CORE_NETWORK_READABLE_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace gasnet::network {

// The maximum number of descriptors of a network. A limit, not tuning.
inline constexpr size_t kMaxDescriptors = 8;

// Blocks until one of the descriptors or `other` is readable, or `nanos`
// nanoseconds have passed (kNever: no limit). There are at most kMaxDescriptors
// descriptors. May return spuriously. Negative descriptors are ignored.
void AwaitReadable(std::span<const int> descriptors, int other, int64_t nanos);

}  // namespace gasnet::network

#endif  // CORE_NETWORK_READABLE_H_
