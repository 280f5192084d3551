// The exit policy decides when a job ends, with which code, and how long the
// job waits before that. It also decides the consequences of a rank's death. It
// is a state machine that depends only on counts and times. JobEnd owns it and
// carries out each phase.
//
//   - kRunning: there is no reason to end.
//   - kLingering: there is a reason to end, but other ranks may still end
//     by themselves. After a gasnet_exit, this lasts until the linger time
//     (the patience time while all codes are 0) passes without another
//     gasnet_exit. After an end without gasnet_exit and with a code other
//     than 0, it lasts for the patience time.
//   - kEnding: all ranks that have not left are notified. Their processes
//     have the grace time to end.
//   - kKilling: remaining processes are killed.
//
// A rank "leaves" when it calls gasnet_exit or its process ends. A rank is
// "gone" when its process has ended. A process that ends with code 0 and
// without gasnet_exit does not end the job, unless its rank has requested this.
// When all ranks have left, the job ends.
//
// The job's code is the worst of the ranks' codes. The code of a crash is worse
// than any other code. A code other than 0 is worse than 0. If several codes
// are equally bad, the first counts. In kEnding and kKilling only a crash
// counts, and only if the code was 0 until then.
#ifndef JOB_LAUNCH_EXIT_POLICY_H_
#define JOB_LAUNCH_EXIT_POLICY_H_

#include <cstdint>

#include "base/clock.h"

namespace gasnet::job {

// The launcher's own exit codes.
inline constexpr int kTimeoutCode = 124;
inline constexpr int kLauncherFailureCode = 125;

class ExitPolicy {
 public:
  enum class Phase { kRunning, kLingering, kEnding, kKilling };

  struct Times {
    int64_t linger;
    int64_t patience;
    int64_t grace;
  };

  ExitPolicy(uint32_t ranks, Times times) : ranks_(ranks), times_(times) {}

  // Takes note that a rank has called gasnet_exit with `code`.
  void Left(int code, int64_t now);

  // Takes note that the process of a rank has ended with `code`, without
  // gasnet_exit. The job ends if the code is not 0 or `ends_job` is true.
  void Returned(int code, bool ends_job, int64_t now);

  // Takes note that a process has ended without joining, while no rank has
  // joined. The program probably does not use GASNet, so the other processes
  // may finish.
  void LeftAlone(int code, int64_t now);

  // Takes note that a rank is gone.
  void Gone() { ++gone_; }

  // Takes note that the job has failed. The job ends without lingering.
  void Failed(int code, int64_t now);

  // Takes note that a rank has crashed or was killed, from any cause and at any
  // time. The job ends without lingering, and its code is not 0.
  void Crashed(int code, int64_t now);

  // Takes note that the job must end now, because of a signal or a timeout. The
  // job ends without lingering. If the job is already ending, the grace time
  // ends too.
  void Interrupted(int code, int64_t now);

  // Makes the transitions between phases that are due at `now`.
  void Advance(int64_t now);

  // Takes note that the ranks cannot end because their output has no reader.
  // The grace time begins anew, unless the job was interrupted.
  void AwaitReader(int64_t now);

  // Moves all times by `nanos`, the time for which all processes were stopped.
  void Shift(int64_t nanos);

  Phase phase() const { return phase_; }
  int code() const { return code_; }
  bool interrupted() const { return interrupted_; }
  bool AllGone() const { return gone_ == ranks_; }
  // The time at which Advance next has something to do.
  int64_t deadline() const { return deadline_; }

 private:
  enum class Badness { kNone, kCode, kCrash };

  void Propose(int code, Badness badness);
  void ProposeCode(int code) {
    Propose(code, code == 0 ? Badness::kNone : Badness::kCode);
  }
  void LingerUntil(int64_t time);
  void BeginEnding(int64_t now);

  const uint32_t ranks_;
  const Times times_;
  Phase phase_ = Phase::kRunning;
  uint32_t left_ = 0;
  uint32_t gone_ = 0;
  int code_ = 0;
  Badness badness_ = Badness::kNone;
  int64_t patience_ends_ = kNever;
  bool interrupted_ = false;
  int64_t deadline_ = kNever;
};

}  // namespace gasnet::job

#endif  // JOB_LAUNCH_EXIT_POLICY_H_
