// Constants that tune transfers that a network does by itself.
#ifndef CORE_RMA_TUNING_H_
#define CORE_RMA_TUNING_H_

#include <cstddef>

namespace gasnet::rma {

// Up to so many bytes a memset is a put of them, where the network's thresholds
// say nothing else: a cache line, which is made on the stack for a few cycles
// and is no longer than the message that it stands in for. Reasoned, not
// measured.
inline constexpr size_t kMostFill = 64;

}  // namespace gasnet::rma

#endif  // CORE_RMA_TUNING_H_
