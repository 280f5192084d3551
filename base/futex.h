// Sleeping on a 32-bit word until another thread, or another process that maps
// the same memory, changes the word.
//
// The waker stores to the word, then calls FutexWake. The waiter loads the
// word, decides to sleep, and passes the value that it loaded to FutexWait. The
// kernel compares the word with that value again, so a change in between is
// never missed. The calls do not order accesses to other data; use the word for
// that (store release, load acquire).
#ifndef BASE_FUTEX_H_
#define BASE_FUTEX_H_

#include <atomic>
#include <cstdint>

namespace gasnet {

// Sleeps while `word` holds `expected`. Returns when woken, when the word
// differs, on a signal, or after `timeout_ns` (negative: no limit). The caller
// reads the word again to find out which of these happened.
void FutexWait(std::atomic<uint32_t>& word, uint32_t expected,
               int64_t timeout_ns = -1);

// Wakes at most `count` waiters. Async-signal-safe.
void FutexWake(std::atomic<uint32_t>& word, int count);

}  // namespace gasnet

#endif  // BASE_FUTEX_H_
