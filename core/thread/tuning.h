// Constants that tune threads and locks.
#ifndef CORE_THREAD_TUNING_H_
#define CORE_THREAD_TUNING_H_

#include <cstdint>

namespace gasnet::thread {

// The number of tries of a lock before a thread yields its processor: the
// holder may have been preempted, or be in a system call. Reasoned, not
// measured.
inline constexpr unsigned kLockSpins = 100;
// The number of tries of a handler-safe lock before the thread sleeps. These
// tries take longer than most critical sections of clients, and less time than
// a sleep and a wake-up. Reasoned, not measured.
inline constexpr int kHandlerSafeSpins = 200;
// The time for which a thread may hold a handler-safe lock, or stay in a
// no-interrupt section, without a warning. During this time its rank may serve
// no other rank. Reasoned, not measured.
inline constexpr int64_t kLongHeld = 1'000'000'000;  // ns

}  // namespace gasnet::thread

#endif  // CORE_THREAD_TUNING_H_
