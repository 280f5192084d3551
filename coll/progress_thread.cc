#include "coll/progress_thread.h"

#include <pthread.h>
#include <string.h>

#include <span>

#include "base/env.h"
#include "base/futex.h"
#include "base/log.h"
#include "base/signal_mask.h"

namespace gasnet::coll {

bool WantsProgressThread(bool possible) {
  static constexpr const char* kChoices[] = {"poll", "thread"};
  const std::span<const char* const> choices(kChoices);
  return EnvChoice("GASNET_COLL_PROGRESS", choices.first(possible ? 2 : 1),
                   0) == 1;
}

void ProgressThread::Start(void (*serve)()) {
  serve_ = serve;
  const BlockAllSignals inherited_by_the_thread;
  pthread_t thread;
  const int error = pthread_create(&thread, nullptr, &Run, this);
  if (error != 0) {
    Fatal("GASNET_COLL_PROGRESS is thread, but no thread can be started: %s",
          strerror(error));
  }
  pthread_setname_np(thread, "gasnet-coll");
  pthread_detach(thread);
}

void ProgressThread::Ring() {
  if (rung_.exchange(1, std::memory_order_seq_cst) == 0) FutexWake(rung_, 1);
}

void* ProgressThread::Run(void* self) {
  auto& thread = *static_cast<ProgressThread*>(self);
  for (;;) {
    while (thread.rung_.exchange(0, std::memory_order_seq_cst) == 0) {
      FutexWait(thread.rung_, 0);
    }
    thread.serve_();
  }
}

}  // namespace gasnet::coll
