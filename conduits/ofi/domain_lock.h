// The lock around all libfabric calls in a domain. Senders have priority over
// pollers.
//
//   lock           for threads that have work: senders, and threads that
//                  return from a handler
//   try_lock       for pollers. Fails while a thread waits in lock. If it did
//                  not, pollers in short loops could hold the lock each time
//                  that a sender tries
//   TryLockAnyway  for the end of a process. The end may have interrupted a
//                  thread in lock
//
// The number of waiting threads is only a hint, so accesses to this number are
// relaxed.
//
// The library makes system calls that are cancellation points, so cancellation
// is disabled while a thread holds the lock.
#ifndef CONDUITS_OFI_DOMAIN_LOCK_H_
#define CONDUITS_OFI_DOMAIN_LOCK_H_

#include <atomic>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "base/cancellation.h"
#include "core/thread/real_lock.h"

namespace gasnet::ofi {

// The members lock, try_lock and unlock have the names that thread::Holder
// requires.
class ABSL_LOCKABLE DomainLock {
 public:
  void lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    if (TryLockAnyway()) return;
    waiting_.fetch_add(1, std::memory_order_relaxed);
    lock_.lock();
    cancellation_before_ = ForbidCancellation();
    waiting_.fetch_sub(1, std::memory_order_relaxed);
  }
  bool try_lock() ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true) {
    return !IsWaitedFor() && TryLockAnyway();
  }
  bool TryLockAnyway()
      ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    const bool got = lock_.try_lock();
    if (got) cancellation_before_ = ForbidCancellation();
    return got;
  }
  void unlock() ABSL_UNLOCK_FUNCTION() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    const int before = cancellation_before_;
    lock_.unlock();
    RestoreCancellation(before);
  }

  // Returns true if a thread waits in lock.
  bool IsWaitedFor() const {
    return waiting_.load(std::memory_order_relaxed) > 0;
  }

 private:
  thread::RealLock lock_;
  int cancellation_before_ = 0;  // cancellation state of the holder
  std::atomic<uint32_t> waiting_{0};
};

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_DOMAIN_LOCK_H_
