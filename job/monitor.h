// The thread in every rank that waits on the control channel. It delivers the
// results of gathers, and ends the process if the launcher ends the job or is
// gone. All signals are blocked in this thread, so the client's handlers never
// run on it.
#ifndef JOB_MONITOR_H_
#define JOB_MONITOR_H_

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace gasnet::job {

class ControlLink;

class Monitor {
 public:
  // Starts the thread. When the job ends, the client has grace_nanos to end by
  // itself.
  static absl::StatusOr<std::unique_ptr<Monitor>> Start(ControlLink& link,
                                                        int64_t grace_nanos);
  // Waits for the thread. The thread ends after ControlLink::Suspend and the
  // next gather.
  ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

 private:
  Monitor(ControlLink& link, int64_t grace_nanos)
      : link_(link), grace_nanos_(grace_nanos) {}

  absl::Status Start();
  void TakeMemory();
  void Run();

  ControlLink& link_;
  const int64_t grace_nanos_;
  std::atomic<uint32_t> has_memory_{0};
  pthread_t thread_{};
};

}  // namespace gasnet::job

#endif  // JOB_MONITOR_H_
