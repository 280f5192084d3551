#include "core/ip/progress_thread.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/clock.h"
#include "base/signal_mask.h"
#include "base/syscall.h"
#include "core/ip/tuning.h"

namespace gasnet::ip {

absl::Status ProgressThread::Start() {
  bell_.Reset(eventfd(0, EFD_CLOEXEC));
  if (!bell_.valid()) return absl::ErrnoToStatus(errno, "making an eventfd");
  awake_.store(Attends(), std::memory_order_relaxed);
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
  if (mine.Attends()) mine.Look();
  while (!mine.ends_.load(std::memory_order_acquire)) {
    mine.SleepUntilRoused();
    mine.Look();
  }
  return nullptr;
}

void ProgressThread::Look() {
  while (!ends_.load(std::memory_order_acquire)) {
    const bool attended = Nap(NextDeadline());
    const int64_t deadline = NextDeadline();
    if (deadline != kNever) {
      if (NowNanos() >= deadline) work_.maintain(work_.of);
      continue;
    }
    // If the client's threads serve the descriptor, nobody tells this thread
    // when they cease to.
    if (attended || (Attends() && attended_ < 0)) continue;
    awake_.store(false, std::memory_order_seq_cst);
    AsymmetricFence::HeavyFence();
    if (NextDeadline() == kNever) return;
    if (awake_.exchange(true, std::memory_order_seq_cst)) return;
  }
}

// Sleeps until the next look. Returns true if it has attended meanwhile.
bool ProgressThread::Nap(int64_t deadline) {
  if (attended_ >= 0) {
    return AwaitAndAttend(std::clamp<int64_t>(deadline - NowNanos(), 0, kNap));
  }
  const timespec interval =
      ToTimespec(attended_ == kLookSoon ? kBriefNap : kNap);
  nanosleep(&interval, nullptr);
  if (attended_ == kLookSoon) return TryAttend();
  if (Attends()) attended_ = work_.attended(work_.of);
  return false;
}

// Sleeps until the bell rings, the attended descriptor is readable, or the time
// is over. Returns true if it has attended.
bool ProgressThread::AwaitAndAttend(int64_t nanos) {
  std::array<pollfd, 2> watched = {
      {{bell_.get(), POLLIN, 0}, {attended_, POLLIN, 0}}};
  const timespec time = ToTimespec(nanos);
  const int ready = ppoll(watched.data(), watched.size(),
                          nanos == kNever ? nullptr : &time, nullptr);
  if (ready > 0 && watched[0].revents != 0) HearBell();
  if (ready > 0 && watched[1].revents != 0) return TryAttend();
  attended_ = work_.attended(work_.of);
  return false;
}

// Attends, unless the client's threads have begun to serve the network. Returns
// true if it has attended.
bool ProgressThread::TryAttend() {
  attended_ = work_.attended(work_.of);
  if (attended_ == kServed) return false;
  work_.attend(work_.of);
  attended_ = work_.attended(work_.of);
  return true;
}

void ProgressThread::Rouse() {
  if (!awake_.exchange(true, std::memory_order_seq_cst)) Ring();
}

void ProgressThread::Ring() {
  const uint64_t one = 1;
  WriteFull(bell_.get(), &one, sizeof one);
}

void ProgressThread::HearBell() {
  uint64_t rings;
  ReadFull(bell_.get(), &rings, sizeof rings);
}

// Sleeps with `awake_` cleared. Sets it if something else than the bell ends
// the sleep.
void ProgressThread::SleepUntilRoused() {
  if (!Attends()) return HearBell();
  AwaitAndAttend(kNever);
  awake_.store(true, std::memory_order_seq_cst);
}

}  // namespace gasnet::ip
