// Constants that tune the ground floor. Reasoned, not measured.
#ifndef BASE_TUNING_H_
#define BASE_TUNING_H_

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace gasnet {

// Calls that a backtrace shows: those of any program but one that calls itself
// without end. They are on the stack of the handler of a crash.
inline constexpr int kBacktraceCalls = 256;
// Of the stack of that handler. A signal's frame takes up to 10 KiB of it.
inline constexpr size_t kCrashStackBytes = 64 << 10;
// How often a process that is frozen for a debugger looks whether it may go on:
// at once, for the person who has said so.
inline constexpr int64_t kFrozenPollNanos = 100 * kNanosPerMilli;

}  // namespace gasnet

#endif  // BASE_TUNING_H_
