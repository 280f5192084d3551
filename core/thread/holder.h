// Holds a lock for a scope. Like std::lock_guard, but visible to clang's thread
// safety analysis. Data marked ABSL_GUARDED_BY a lock may be accessed while a
// holder of the lock lives.
//
//     const thread::Holder hold(lock_);
//
//     if (!lock_.try_lock()) return;
//     const thread::Holder hold(lock_, std::adopt_lock);
//
// A function may release the lock of its caller for a while. It then calls
// unlock and lock itself, and is marked ABSL_EXCLUSIVE_LOCKS_REQUIRED.
#ifndef CORE_THREAD_HOLDER_H_
#define CORE_THREAD_HOLDER_H_

#include <mutex>

#include "absl/base/thread_annotations.h"

namespace gasnet::thread {

// Lock: the type of the lock, an ABSL_LOCKABLE class with lock and unlock.
template <class Lock>
class ABSL_SCOPED_LOCKABLE Holder {
 public:
  [[gnu::always_inline]] explicit Holder(Lock& lock)
      ABSL_EXCLUSIVE_LOCK_FUNCTION(lock)
      : lock_(lock) {
    lock_.lock();
  }
  // Takes over a lock that the caller has already locked.
  [[gnu::always_inline]] Holder(Lock& lock, std::adopt_lock_t)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(lock)
      : lock_(lock) {}
  ~Holder() ABSL_UNLOCK_FUNCTION() { lock_.unlock(); }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

 private:
  Lock& lock_;
};

}  // namespace gasnet::thread

#endif  // CORE_THREAD_HOLDER_H_
