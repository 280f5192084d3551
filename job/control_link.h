// A rank's end of its control channel.
//
// Join creates the object. Afterwards only the monitor thread (job/monitor.h)
// receives, but any thread may send. A frame is sent as a whole, with signals
// blocked. So a signal handler never interrupts a send of its own thread.
#ifndef JOB_CONTROL_LINK_H_
#define JOB_CONTROL_LINK_H_

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "base/unique_fd.h"
#include "job/question.h"
#include "job/wire/frame.h"
#include "job/wire/messages.h"

namespace gasnet::job {

class ControlLink {
 public:
  // Sends HELLO on a blocking stream and waits until every rank has joined. If
  // the launcher ends the job during the wait, this process ends too.
  static absl::StatusOr<std::unique_ptr<ControlLink>> Join(UniqueFd channel,
                                                           const Hello& hello,
                                                           Welcome& welcome);

  // Gathers the parts of all ranks; see Job::AllGather.
  absl::Status Gather(std::span<const std::byte> mine,
                      std::span<std::byte> all) {
    Contribute(mine);
    return Collect(all);
  }
  // The two steps of Gather. Contribute sends this rank's part, and Collect
  // waits for the parts of all ranks. IsGathered returns true once all parts
  // have arrived.
  void Contribute(std::span<const std::byte> mine);
  bool IsGathered() const {
    return gathers_done_.load(std::memory_order_acquire) ==
           gathers_begun_.load(std::memory_order_relaxed);
  }
  absl::Status Collect(std::span<std::byte> all);

  // Makes the next gather the last one that is received. The monitor thread
  // ends after that gather. Call Resume before another monitor thread is
  // started.
  void Suspend() {
    last_.store(gathers_begun_.load(std::memory_order_relaxed) + 1,
                std::memory_order_relaxed);
  }
  void Resume() { last_.store(0, std::memory_order_relaxed); }
  // Returns true if the last gather has completed. Only the monitor thread may
  // call it.
  bool IsSuspended() const {
    return gathers_done_.load(std::memory_order_relaxed) ==
           last_.load(std::memory_order_relaxed);
  }

  // Reports the exit to the launcher. Only the first call has an effect.
  // Async-signal-safe.
  void SendExit(int code);
  // Reports that this process is about to end without SendExit (kLeavesByExit).
  void SendLeaving() { SendCode(kLeavesByExit); }
  // Tells the launcher to end the job if this rank ends without SendExit
  // (kReturnEndsJob).
  void SendReturnEndsJob() { SendCode(kReturnEndsJob); }

  // Sends this rank's statistics, at most kMaxStatisticsBytes.
  // Async-signal-safe.
  void SendStatistics(std::string_view encoded);

  // Sets the function that the monitor thread calls when the launcher sends a
  // question. Null removes the function. Returns when no earlier function is
  // running.
  void SetOnQuestion(OnQuestion on_question);
  // Calls the function that SetOnQuestion has set. Only the monitor thread may
  // call this.
  void Ask(Question question);

  // Returns true if a rank is known to receive no more messages. Any thread may
  // call it.
  bool HasLeft(uint32_t rank) const {
    return has_left_[rank].load(std::memory_order_relaxed);
  }

  // Receives the next frame. Returns false if the channel has ended or carries
  // garbage. Only Join and the monitor thread may call it.
  bool Receive(Frame& frame);

  // Passes the result of a gather to the thread that waits in Gather. Only the
  // monitor thread may call it.
  void DeliverGathered(const GatherPart& result);
  // Records that these ranks have left. Only the monitor thread may call it.
  void NoteLeft(const std::vector<uint32_t>& ranks);

 private:
  explicit ControlLink(UniqueFd channel);

  absl::Status AwaitWelcome(Welcome& welcome);
  void Send(std::string_view frame) { Send(frame, {}); }
  void Send(std::string_view header, std::string_view payload);
  void SendCode(int32_t code);
  void RequireOwnChannel() const;

  const UniqueFd channel_;
  const ino_t channel_inode_;  // detects reuse of the descriptor number
  FrameReader reader_;
  std::atomic<uint32_t> sending_{0};  // A futex lock: 0 free, 1 held.
  std::atomic<bool> exit_sent_{false};
  std::vector<std::atomic<bool>> has_left_;  // indexed by rank

  absl::Mutex ask_mutex_;
  OnQuestion on_question_ ABSL_GUARDED_BY(ask_mutex_);

  // The numbers of gathers that have begun and that are done. Only one gather
  // runs at a time. While the counts are equal, the client thread owns
  // gathered_. While they differ, the monitor thread owns it. Each thread
  // passes gathered_ on with a release store to its own count.
  std::atomic<uint32_t> gathers_begun_{0};
  std::atomic<uint32_t> gathers_done_{0};
  // The number of the gather after which the monitor thread ends, or 0 for
  // none. It is published with `gathers_begun_`.
  std::atomic<uint32_t> last_{0};
  std::string gathered_;
};

}  // namespace gasnet::job

#endif  // JOB_CONTROL_LINK_H_
