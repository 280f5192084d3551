// The slow paths and the checks of handler-safe locks (spec 2.4.4, 2.4.5).
//
// A lock's state word is 0 (free), 1 (held) or 2 (held, and a thread may sleep
// on it). The fast paths, 0 to 1 and 1 to 0, are inlined in the client.
// Acquiring has acquire order, releasing release order. A waiter sets the state
// to 2 and sleeps on the word. A thread that releases a lock in state 2 wakes
// one waiter. The waiter sets the state to 2 again, since it cannot know if
// other waiters still sleep.
//
// In debug builds every lock records its owner and the lock that its owner took
// before it. With these records the checks detect recursion, a wrong order of
// release, release by a thread that does not hold the lock, and use before init
// or after destroy. Some mistakes may be harmless, and are reported once in
// each process: initialising a live lock, and holding a lock or staying in a
// no-interrupt section for more than a second.
#ifndef CORE_THREAD_HANDLER_SAFE_LOCK_H_
#define CORE_THREAD_HANDLER_SAFE_LOCK_H_

#include "core/thread/mode.h"
#include "gasnet/types.h"

namespace gasnet::thread {

void Init(gasneti_hsl& lock);
void Destroy(gasneti_hsl& lock);
void Acquire(gasneti_hsl& lock);
// Tries to take the lock. Returns true if it was free and is now held.
bool TryAcquire(gasneti_hsl& lock);
void Release(gasneti_hsl& lock);

// HoldInterrupts() begins a no-interrupt section (spec 2.4.2),
// ResumeInterrupts() ends it. Only the checks use these sections. Handlers and
// threads that hold a lock are in a no-interrupt section already (spec 2.4.3,
// 2.4.5), so there neither function has an effect.
void HoldInterrupts();
void ResumeInterrupts();

}  // namespace gasnet::thread

#endif  // CORE_THREAD_HANDLER_SAFE_LOCK_H_
