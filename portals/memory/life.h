// The sign of life of an interface's owner: a robust mutex in the first page of
// its tables. One thread of the owner holds it. When that thread ends, with the
// process or before, the kernel marks the mutex.
//
// The C library keeps a list of the robust mutexes that a thread holds. The
// links of that list lie in the mutexes. So the page must stay mapped while the
// thread holds the mutex. The kernel follows the links with care when the
// thread ends, but the C library does not when it unlocks. Any process may have
// overwritten the mutex. So it is checked before it is unlocked.
#ifndef PORTALS_MEMORY_LIFE_H_
#define PORTALS_MEMORY_LIFE_H_

#include <pthread.h>

#include <cstddef>

#include "portals/engine/layout.h"

namespace gasnet::portals4 {

inline constexpr size_t kFirstPage = 4096;

// Makes the mutex, and locks it. Returns a copy of the locked mutex.
pthread_mutex_t HoldLife(pthread_mutex_t& life);

// Unlocks the mutex of `header`, if this thread holds it and it is as it should
// be. Returns true if it has done so. Otherwise the mutex stays locked. `held`
// is what HoldLife has returned. `file` has the header's page, which this call
// takes away from all other processes: nobody wakes a thread any more that
// sleeps on a word of it.
bool ReleaseLife(RegionHeader& header, int file, const pthread_mutex_t& held);

}  // namespace gasnet::portals4

#endif  // PORTALS_MEMORY_LIFE_H_
