#include "base/futex.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

namespace gasnet {

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t) &&
              std::atomic<uint32_t>::is_always_lock_free);

void FutexWait(std::atomic<uint32_t>& word, uint32_t expected,
               int64_t timeout_ns) {
  const int saved_errno = errno;
  const timespec timeout = ToTimespec(timeout_ns);
  syscall(SYS_futex, &word, FUTEX_WAIT, expected,
          timeout_ns < 0 ? nullptr : &timeout, nullptr, 0);
  errno = saved_errno;
}

void FutexWake(std::atomic<uint32_t>& word, int count) {
  const int saved_errno = errno;
  syscall(SYS_futex, &word, FUTEX_WAKE, count, nullptr, nullptr, 0);
  errno = saved_errno;
}

}  // namespace gasnet
