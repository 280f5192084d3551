#include "core/thread/library_thread.h"

#include <pthread.h>
#include <string.h>

#include <utility>

#include "base/futex.h"
#include "base/log.h"
#include "base/signal_mask.h"

namespace gasnet::thread {

void LibraryThread::Start(std::function<void()> serve) {
  serve_ = std::move(serve);
  const BlockAllSignals inherited_by_the_thread;
  const int error = pthread_create(&thread_, nullptr, &Run, this);
  if (error != 0) {
    Fatal("%s, but no thread can be started: %s", about_.setting,
          strerror(error));
  }
  pthread_setname_np(thread_, about_.name);
}

void LibraryThread::End(int64_t patience) {
  if (serve_ == nullptr || has_ended_) return;
  AskToEnd();
  if (pthread_equal(pthread_self(), thread_)) return;
  if (patience != kNever && !IsGoneWithin(patience)) return;
  pthread_join(thread_, nullptr);
  has_ended_ = true;
}

bool LibraryThread::IsGoneWithin(int64_t nanos) {
  const int64_t deadline = NowNanos() + nanos;
  while (gone_.load(std::memory_order_acquire) == 0) {
    const int64_t left = deadline - NowNanos();
    if (left <= 0) return false;
    FutexWait(gone_, 0, left);
  }
  return true;
}

void LibraryThread::AskToEnd() {
  ends_.store(true, std::memory_order_release);
  Ring();
}

void LibraryThread::Ring() {
  if (rung_.exchange(1, std::memory_order_seq_cst) == 0) FutexWake(rung_, 1);
}

// Does not clear `rung_`. So if a call to Wake() ended the nap, Run calls
// `serve` once more.
void LibraryThread::Nap(int64_t nanos) { FutexWait(rung_, 0, nanos); }

void* LibraryThread::Run(void* self) {
  auto& thread = *static_cast<LibraryThread*>(self);
  for (;;) {
    while (thread.rung_.exchange(0, std::memory_order_seq_cst) == 0) {
      FutexWait(thread.rung_, 0);
    }
    if (thread.IsEnding()) break;
    thread.serve_();
  }
  thread.gone_.store(1, std::memory_order_release);
  FutexWake(thread.gone_, 1);
  return nullptr;
}

}  // namespace gasnet::thread
