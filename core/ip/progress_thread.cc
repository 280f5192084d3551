#include "core/ip/progress_thread.h"

#include <errno.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/signal_mask.h"
#include "base/syscall.h"
#include "core/ip/tuning.h"

namespace gasnet::ip {

absl::Status ProgressThread::Start() {
  bell_.Reset(eventfd(0, EFD_CLOEXEC));
  if (!bell_.valid()) return absl::ErrnoToStatus(errno, "making an eventfd");
  const BlockAllSignals inherited_by_the_thread;
  const int error = pthread_create(&thread_, nullptr, &Run, this);
  if (error != 0) return absl::ErrnoToStatus(error, "cannot start a thread");
  pthread_setname_np(thread_, "gasnet-progress");
  has_started_ = true;
  return absl::OkStatus();
}

ProgressThread::~ProgressThread() {
  if (!has_started_) return;
  ends_.store(true, std::memory_order_release);
  Ring();
  pthread_join(thread_, nullptr);
}

void* ProgressThread::Run(void* self) {
  auto& mine = *static_cast<ProgressThread*>(self);
  while (!mine.ends_.load(std::memory_order_acquire)) {
    mine.SleepUntilRoused();
    mine.Look();
  }
  return nullptr;
}

void ProgressThread::Look() {
  const timespec interval = ToTimespec(kNap);
  while (!ends_.load(std::memory_order_acquire)) {
    nanosleep(&interval, nullptr);
    const int64_t deadline = NextDeadline();
    if (deadline != kNever) {
      if (NowNanos() >= deadline) work_.maintain(work_.of);
      continue;
    }
    awake_.store(false, std::memory_order_seq_cst);
    AsymmetricFence::HeavyFence();
    if (NextDeadline() == kNever) return;
    if (awake_.exchange(true, std::memory_order_seq_cst)) return;
  }
}

void ProgressThread::Rouse() {
  if (!awake_.exchange(true, std::memory_order_seq_cst)) Ring();
}

void ProgressThread::Ring() {
  const uint64_t one = 1;
  WriteFull(bell_.get(), &one, sizeof one);
}

void ProgressThread::SleepUntilRoused() {
  uint64_t rings;
  ReadFull(bell_.get(), &rings, sizeof rings);
}

}  // namespace gasnet::ip
