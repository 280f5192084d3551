#include "job/monitor.h"

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "base/futex.h"
#include "base/signal_mask.h"
#include "job/control_link.h"
#include "job/process_end.h"
#include "job/question.h"
#include "job/status/status_page.h"
#include "job/wire/messages.h"

namespace gasnet::job {
namespace {

// The reason why the thread stops reading the channel.
struct Ending {
  bool of_job;  // True: the job ends. False: only this thread ends.
  int code;
};

Ending AwaitEnd(ControlLink& link) {
  Frame frame;
  while (link.Receive(frame)) {
    End end;
    GatherPart result;
    std::vector<uint32_t> ranks;
    if (frame.type == FrameType::kEnd) {
      return {true, DecodeEnd(frame.payload, end) ? end.code : EXIT_FAILURE};
    }
    if (frame.type == FrameType::kLeft) {
      if (DecodeLeft(frame.payload, ranks)) link.NoteLeft(ranks);
    } else if (frame.type == FrameType::kAskPolls) {
      link.Ask(Question::kPolls);
    } else if (frame.type == FrameType::kAskStatistics) {
      link.Ask(Question::kStatistics);
    } else if (DecodeGather(frame.payload, result)) {
      link.DeliverGathered(result);
      if (link.IsSuspended()) return {false, 0};
    }
  }
  return {true, EXIT_FAILURE};
}

}  // namespace

absl::StatusOr<std::unique_ptr<Monitor>> Monitor::Start(ControlLink& link,
                                                        int64_t grace_nanos) {
  std::unique_ptr<Monitor> monitor(new Monitor(link, grace_nanos));
  const absl::Status started = monitor->Start();
  if (!started.ok()) return started;
  return monitor;
}

absl::Status Monitor::Start() {
  const BlockAllSignals inherited_by_the_thread;
  const int error = pthread_create(
      &thread_, nullptr,
      [](void* self) -> void* {
        static_cast<Monitor*>(self)->Run();
        return nullptr;
      },
      this);
  if (error != 0) return absl::ErrnoToStatus(error, "cannot start a thread");
  pthread_setname_np(thread_, kMonitorName);
  while (has_memory_.load(std::memory_order_acquire) == 0) {
    FutexWait(has_memory_, 0);
  }
  return absl::OkStatus();
}

Monitor::~Monitor() {
  if (has_memory_.load(std::memory_order_relaxed) != 0) {
    pthread_join(thread_, nullptr);
  }
}

// Allocates once, because the C library reserves a heap (64 MiB of addresses or
// more) for each thread that allocates. This must happen before the free
// addresses for a segment are counted.
void Monitor::TakeMemory() {
  // Calls operator new explicitly, because the compiler may not optimise such a
  // call away.
  ::operator delete(::operator new(1));
  has_memory_.store(1, std::memory_order_release);
  FutexWake(has_memory_, 1);
}

void Monitor::Run() {
  TakeMemory();
  const Ending ending = AwaitEnd(link_);
  if (ending.of_job) EndByJob(ending.code, grace_nanos_);
}

}  // namespace gasnet::job
