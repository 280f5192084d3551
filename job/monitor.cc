#include "job/monitor.h"

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#include "base/futex.h"
#include "base/signal_mask.h"
#include "job/control_link.h"
#include "job/process_end.h"
#include "job/wire/messages.h"

namespace gasnet::job {
namespace {

struct Monitor {
  ControlLink& link;
  int64_t grace_nanos;
};

// The code of the END, or failure where the channel ends without one.
int AwaitJobEnd(ControlLink& link) {
  Frame frame;
  while (link.Receive(frame)) {
    End end;
    GatherPart result;
    std::vector<uint32_t> ranks;
    if (frame.type == FrameType::kEnd) {
      return DecodeEnd(frame.payload, end) ? end.code : EXIT_FAILURE;
    }
    if (frame.type == FrameType::kLeft) {
      if (DecodeLeft(frame.payload, ranks)) link.NoteLeft(ranks);
    } else if (DecodeGather(frame.payload, result)) {
      link.DeliverGathered(result);
    }
  }
  return EXIT_FAILURE;
}

std::atomic<uint32_t> has_memory{0};

// The C library gives each thread that allocates 64 MiB of addresses or more.
// They are taken before anybody asks how many are left for a segment.
void TakeMemory() {
  // Called by its name, it is not left out.
  ::operator delete(::operator new(1));
  has_memory.store(1, std::memory_order_release);
  FutexWake(has_memory, 1);
}

void* Run(void* argument) {
  TakeMemory();
  const Monitor& monitor = *static_cast<Monitor*>(argument);
  EndByJob(AwaitJobEnd(monitor.link), monitor.grace_nanos);
}

}  // namespace

absl::Status StartMonitor(ControlLink& link, int64_t grace_nanos) {
  const BlockAllSignals inherited_by_the_thread;
  static Monitor monitor = {link, grace_nanos};
  pthread_t thread;
  const int error = pthread_create(&thread, nullptr, Run, &monitor);
  if (error != 0) return absl::ErrnoToStatus(error, "cannot start a thread");
  pthread_setname_np(thread, "gasnet-monitor");
  pthread_detach(thread);
  while (has_memory.load(std::memory_order_acquire) == 0) {
    FutexWait(has_memory, 0);
  }
  return absl::OkStatus();
}

}  // namespace gasnet::job
