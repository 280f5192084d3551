// The thread of DatagramTransport. A caller that has work sets a deadline and
// then reads `awake_`. The thread clears `awake_` and then reads the deadline.
// The caller and the thread each have a fence between their two steps. So at
// least one of them sees the other's store.
//
// Both fences are ordinary ones. An asymmetric fence would make the caller's
// fence free, but the thread's fence would then interrupt the other processors.
// While the rank computes, the thread goes to sleep after every datagram. An
// interrupt would take longer than the datagram.
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>

#include <algorithm>
#include <atomic>

#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "base/clock.h"
#include "base/signal_mask.h"
#include "portals/api/library.h"
#include "portals/datagram/transport.h"
#include "portals/engine/due.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

// Clears a bell that has woken this thread. Does nothing if it has not rung.
void Hear(const pollfd& bell) {
  eventfd_t rings;
  if ((bell.revents & POLLIN) != 0) eventfd_read(bell.fd, &rings);
}

}  // namespace

absl::Status DatagramTransport::Start() {
  bell_.Reset(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!bell_.valid()) return absl::ErrnoToStatus(errno, "making an eventfd");
  const BlockAllSignals inherited_by_the_thread;
  const int error = pthread_create(&thread_, nullptr, &Run, this);
  if (error != 0) return absl::ErrnoToStatus(error, "cannot start a thread");
  pthread_setname_np(thread_, "portals-datagram");
  has_started_ = true;
  return absl::OkStatus();
}

// The thread checks `ends_` before and after each sleep, and the bell ends a
// sleep. So the thread notices at once that it must end.
DatagramTransport::~DatagramTransport() {
  if (!has_started_) return;
  ends_.store(true, std::memory_order_release);
  RingBell();
  pthread_join(thread_, nullptr);
}

void* DatagramTransport::Run(void* self_pointer) {
  auto& self = *static_cast<DatagramTransport*>(self_pointer);
  // The thread's naps are short, so its timers must be exact.
  prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0);
  uint32_t seen = self.polls_.load(std::memory_order_relaxed);
  const auto ends = [&self] {
    return self.ends_.load(std::memory_order_acquire);
  };
  // Checks before each sleep: a nap may have consumed the destructor's ring.
  while (!ends()) {
    self.SleepUntilNeeded();
    if (ends()) break;
    self.StepAside(seen);
    const absl::MutexLock running(&self.running_);
    int64_t last = 0;  // time of the last packet with something new
    do {
      const uint64_t packets = self.statistics().packets_received;
      {
        const absl::MutexLock lock(&self.lock_);
        self.Receive();
      }
      if (AnythingDue()) RunDueTriggers();
      if (self.statistics().packets_received != packets) last = NowNanos();
    } while (!ends() && self.StandsIn(last, seen));
  }
  return nullptr;
}

// Returns true if the thread should go on polling because the program sleeps.
// The program's processor is free then, and the next packet may arrive before
// this thread could go to sleep and wake up. Only packets with something new
// extend the polling. Packets from strangers could extend it forever, and
// acknowledgements need no answer.
bool DatagramTransport::StandsIn(int64_t last, uint32_t seen) {
  // Relaxed: this thread needs to see new values soon, but not at once.
  const bool stands_in = pausing_.load(std::memory_order_relaxed) == 0 &&
                         GetLibrary().IsAsleep() &&
                         polls_.load(std::memory_order_relaxed) == seen &&
                         NowNanos() - last < kStandInFor;
  if (stands_in) ++looks_on_;
  return stands_in;
}

// Naps until other threads no longer poll. `seen` is the value of `polls_` that
// the thread saw last.
void DatagramTransport::StepAside(uint32_t& seen) {
  if (polls_.load(std::memory_order_relaxed) == seen) return;
  for (int64_t nap = aside_.Begin(); nap > 0;) {
    seen = polls_.load(std::memory_order_relaxed);
    const int64_t ran = PollerRan();
    Nap(nap, seen);
    if (IsLeftAlone(seen)) return;
    nap = aside_.Next(
        {polls_.load(std::memory_order_relaxed) - seen, PollerRan() - ran});
  }
}

// Sleeps for a nap. A program that goes to sleep and finds `naps_` set ends the
// nap. Because of the fences, the program sees that `naps_` is set, or the
// thread sees that the program sleeps.
void DatagramTransport::Nap(int64_t nanos, uint32_t seen) {
  naps_.store(true, std::memory_order_seq_cst);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!IsLeftAlone(seen)) {
    pollfd bell = {bell_.get(), POLLIN, 0};
    const timespec left = ToTimespec(nanos);
    ppoll(&bell, 1, &left, nullptr);
    Hear(bell);
  }
  naps_.store(false, std::memory_order_relaxed);
}

// Returns true if the program sleeps in a wait and `polls_` is still `seen`.
bool DatagramTransport::IsLeftAlone(uint32_t seen) {
  if (polls_.load(std::memory_order_relaxed) != seen) return false;
  const absl::MutexLock running(&running_);
  return GetLibrary().IsAsleep();
}

void DatagramTransport::LeaveToOthers() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (naps_.load(std::memory_order_relaxed) &&
      naps_.exchange(false, std::memory_order_seq_cst)) {
    RingBell();
  }
}

// Returns the processor time used by the thread that polled last. Returns
// kNever if that thread has ended.
int64_t DatagramTransport::PollerRan() const {
  timespec ran;
  const clockid_t clock = poller_.load(std::memory_order_relaxed);
  if (clock_gettime(clock, &ran) != 0) return kNever;
  return ran.tv_sec * kNanosPerSecond + ran.tv_nsec;
}

void DatagramTransport::SleepUntilNeeded() {
  {
    const absl::MutexLock lock(&lock_);
    out_.SendReceipts();
  }
  awake_.store(false, std::memory_order_seq_cst);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  int64_t deadline = NextDeadline();
  if (expects_.load(std::memory_order_relaxed)) {
    deadline = std::min(deadline, NowNanos() + ask_interval_);
  }
  const timespec left = ToTimespec(
      std::max<int64_t>(deadline == kNever ? 0 : deadline - NowNanos(), 0));
  pollfd sources[] = {{port_.fd(), POLLIN, 0}, {bell_.get(), POLLIN, 0}};
  ppoll(sources, 2, deadline == kNever ? nullptr : &left, nullptr);
  awake_.store(true, std::memory_order_seq_cst);
  Hear(sources[1]);
}

void DatagramTransport::Wake() {
  if (NextDeadline() == kNever) return;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (awake_.load(std::memory_order_relaxed) ||
      awake_.exchange(true, std::memory_order_seq_cst)) {
    return;
  }
  RingBell();
}

// Rings the bell. Never blocks: the eventfd's counter cannot get that high.
void DatagramTransport::RingBell() { eventfd_write(bell_.get(), 1); }

}  // namespace gasnet::portals4
