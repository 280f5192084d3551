#include "core/am/processor.h"

#include <sched.h>
#include <sys/resource.h>

#include "base/clock.h"

namespace gasnet::am {

int64_t ThisThread::Now() { return NowNanos(); }

void ThisThread::Yield() { sched_yield(); }

int64_t ThisThread::Preemptions() {
  rusage usage;
  // This cannot fail for the calling thread.
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

WaitHistory& ThisThread::MyWaitHistory() {
  thread_local WaitHistory mine;
  return mine;
}

}  // namespace gasnet::am
