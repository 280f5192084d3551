// The exit policy decides when a job ends, with which code, and how much
// patience is left. It also decides what happens when a rank dies. It is a
// state machine on counts and times alone; its owner (JobEnd) does what the
// phase asks for.
//
//   kRunning    until there is a reason to end
//
//   kLingering  there is one, and other ranks may still end by themselves:
//               after a gasnet_exit until nobody has called it for the linger
//               time, or, as long as all codes are 0, for that of the patience;
//               after an end without it and a code other than 0 until the
//               patience is over
//
//   kEnding     all ranks that have not left are notified; processes have the
//               grace time to end
//
//   kKilling    remaining processes are killed
//
// A rank "leaves" when it calls gasnet_exit or its process ends; it is "gone"
// when its process has ended. An end with 0 is no reason to end the job, unless
// its rank wants it so; when all ranks have left, the job ends.
//
// The worst code is the job's. The code of a crash is worse than any other that
// is not 0, and those are worse than 0; of equals the first counts. Once the
// job ends only a crash counts, and only if the job would have been a success.
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

  // A rank has called gasnet_exit with `code`.
  void Left(int code, int64_t now);

  // The process of a rank has ended with `code`, without gasnet_exit. That is a
  // reason to end the job if the code is not 0, or if `ends_job` is true.
  void Returned(int code, bool ends_job, int64_t now);

  // A process that never joined has left while nobody has joined. It is
  // probably no GASNet program, so the others may finish.
  void LeftAlone(int code, int64_t now);

  // A rank is gone.
  void Gone() { ++gone_; }

  // The job has failed: there is no linger.
  void Failed(int code, int64_t now);

  // A rank has crashed or was killed, from any cause and at any time: there is
  // no linger, and no success.
  void Crashed(int code, int64_t now);

  // The job must end now (a signal, a time-out): there is no linger. If it is
  // ending anyway, there is no grace.
  void Interrupted(int code, int64_t now);

  // Does what is due when time has passed.
  void Advance(int64_t now);

  // The ranks cannot end since nobody reads their output. The grace begins
  // anew, unless the job was interrupted.
  void AwaitReader(int64_t now);

  // Moves the times: the clock ran on while everything was stopped.
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
