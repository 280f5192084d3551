// The slow paths and the checks of handler-safe locks (spec 2.4.4, 2.4.5).
//
// A lock's state word is 0 (free), 1 (held) or 2 (held, and a thread may sleep
// on it). The fast paths, 0 to 1 and 1 to 0, are inline in the client.
// Acquiring has acquire order, releasing release order. A waiter makes the
// state 2 and sleeps on the word. The thread that releases a 2 wakes one
// waiter, which makes it 2 again, since it cannot know if it was the last.
//
// In debug builds every lock knows its owner and the lock that its owner took
// before it. That is enough to detect recursion, wrong order of release,
// release by a thread that does not hold it, and use before init or after
// destroy. Mistakes that may work are reported once a process: initialising a
// live lock, and locks or no-interrupt sections that last longer than a second.
#ifndef CORE_THREAD_HANDLER_SAFE_LOCK_H_
#define CORE_THREAD_HANDLER_SAFE_LOCK_H_

#include "core/thread/mode.h"
#include "gasnet/types.h"

namespace gasnet::thread {

void Init(gasneti_hsl& lock);
void Destroy(gasneti_hsl& lock);
void Acquire(gasneti_hsl& lock);
// Returns true if the lock was free and is now held.
bool TryAcquire(gasneti_hsl& lock);
void Release(gasneti_hsl& lock);

// No-interrupt sections (spec 2.4.2); checks only. Ignored in handlers and
// while the thread holds a lock, which already are such sections (spec 2.4.3,
// 2.4.5).
void HoldInterrupts();
void ResumeInterrupts();

}  // namespace gasnet::thread

#endif  // CORE_THREAD_HANDLER_SAFE_LOCK_H_
