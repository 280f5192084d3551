// Constants that tune base/. The values are estimates, not measurements.
#ifndef BASE_TUNING_H_
#define BASE_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace gasnet {

// The maximum number of calls in a backtrace. Only endless recursion is likely
// to exceed it. The array of calls is on the crash handler's stack.
inline constexpr int kBacktraceCalls = 256;
// Bytes of the crash handler's stack. A signal's frame takes up to 10 KiB of
// it.
inline constexpr size_t kCrashStackBytes = 64 << 10;
// The interval at which a process that is frozen for a debugger checks if it
// may continue.
inline constexpr int64_t kFrozenPollNanos = 100 * kNanosPerMilli;

}  // namespace gasnet

#endif  // BASE_TUNING_H_
