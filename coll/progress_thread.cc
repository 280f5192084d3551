#include "coll/progress_thread.h"

#include <pthread.h>
#include <string.h>

#include <span>
#include <utility>

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

void ProgressThread::Start(std::function<void()> serve) {
  serve_ = std::move(serve);
  const BlockAllSignals inherited_by_the_thread;
  const int error = pthread_create(&thread_, nullptr, &Run, this);
  if (error != 0) {
    Fatal("GASNET_COLL_PROGRESS is thread, but no thread can be started: %s",
          strerror(error));
  }
  pthread_setname_np(thread_, "gasnet-coll");
}

void ProgressThread::End() {
  if (serve_ == nullptr || std::exchange(has_ended_, true)) return;
  AskToEnd();
  pthread_join(thread_, nullptr);
}

void ProgressThread::AskToEnd() {
  ends_.store(true, std::memory_order_release);
  Ring();
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
    if (thread.IsEnding()) return nullptr;
    thread.serve_();
  }
}

}  // namespace gasnet::coll
