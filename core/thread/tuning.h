// Constants that tune threads and locks.
#ifndef CORE_THREAD_TUNING_H_
#define CORE_THREAD_TUNING_H_

#include <cstdint>

namespace gasnet::thread {

// Tries of a lock before a thread gives its processor away: the holder may have
// lost its own, or be in a system call. Reasoned, not measured.
inline constexpr unsigned kLockSpins = 100;
// The same for a handler-safe lock, before the thread sleeps. Longer than most
// critical sections of clients, shorter than a sleep and a wake-up. Reasoned,
// not measured.
inline constexpr int kHandlerSafeSpins = 200;
// The time for which a handler-safe lock or no-interrupt section may be held
// without a warning. A critical section that takes longer keeps its rank from
// the others. Reasoned, not measured.
inline constexpr int64_t kLongHeld = 1'000'000'000;  // ns

}  // namespace gasnet::thread

#endif  // CORE_THREAD_TUNING_H_
