// Constants that tune a network's native transfers.
#ifndef CORE_RMA_TUNING_H_
#define CORE_RMA_TUNING_H_

#include <cstddef>

namespace gasnet::rma {

// The size in bytes of the largest memset that is a put, unless the network's
// thresholds say otherwise. The size is that of a cache line: its content is
// built on the stack in a few cycles, and the put is no longer than the message
// that it replaces. The value is reasoned, not measured.
inline constexpr size_t kMaxFill = 64;

}  // namespace gasnet::rma

#endif  // CORE_RMA_TUNING_H_
