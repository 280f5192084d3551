#include "conduits/udp/keeper.h"

#include <errno.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/syscall.h"
#include "core/datagram/send_window.h"
#include "core/job/signal_mask.h"

namespace gasnet::udp {

Status Keeper::Start() {
  bell_.Reset(eventfd(0, EFD_CLOEXEC));
  if (!bell_.valid()) return ErrnoToStatus(errno, "making an eventfd");
  const job::BlockAllSignals inherited_by_the_thread;
  pthread_t thread;
  const int error = pthread_create(&thread, nullptr, &Run, this);
  if (error != 0) return ErrnoToStatus(error, "cannot start a thread");
  pthread_setname_np(thread, "gasnet-keeper");
  pthread_detach(thread);
  return OkStatus();
}

void* Keeper::Run(void* self) {
  for (;;) {
    static_cast<Keeper*>(self)->SleepUntilRoused();
    static_cast<Keeper*>(self)->Look();
  }
}

void Keeper::Look() {
  const timespec interval = ToTimespec(kInterval);
  for (;;) {
    nanosleep(&interval, nullptr);
    const int64_t deadline = endpoint_.NextDeadline();
    if (deadline != datagram::kNever) {
      if (NowNanos() >= deadline) endpoint_.Maintain();
      continue;
    }
    awake_.store(false, std::memory_order_seq_cst);
    hostshm::AsymmetricFence::HeavyFence();
    if (endpoint_.NextDeadline() == datagram::kNever) return;
    if (awake_.exchange(true, std::memory_order_seq_cst)) return;
  }
}

void Keeper::Rouse() {
  if (awake_.exchange(true, std::memory_order_seq_cst)) return;
  const uint64_t one = 1;
  WriteFull(bell_.get(), &one, sizeof one);
}

void Keeper::SleepUntilRoused() {
  uint64_t rings;
  ReadFull(bell_.get(), &rings, sizeof rings);
}

}  // namespace gasnet::udp
