// The exit policy decides when a job ends, with which code, and how much
// patience is left. A state machine on counts and times alone; its owner
// (JobEnd) does what the phase asks for. It decides what happens when a rank
// dies.
//
//   kRunning    until somebody gives a reason to end
//   kLingering  somebody has, and the others may still come to an end of their
//               own: after a gasnet_exit until nobody has called it for the
//               linger time, after an end without it and a code other than 0
//               until the patience is over
//   kEnding     all that have not left are notified; processes have the grace
//               time to end
//   kKilling    what is left is killed
//
// A rank "leaves" when it calls gasnet_exit or its process ends; it is "gone"
// when its process has ended. An end with 0 is no reason for anything; when all
// have left, the job ends.
//
// The worst code is the job's: that of a crash before any other that is not 0,
// those before 0, and of equals the first. Once the job ends only a crash
// counts, and only where it would have been a success.
#ifndef JOB_LAUNCH_EXIT_POLICY_H_
#define JOB_LAUNCH_EXIT_POLICY_H_

#include <cstdint>

#include "base/clock.h"

namespace gasnet::job {

// Exit codes that are the launcher's own.
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

  // The process of a rank has ended with `code`, without gasnet_exit.
  void Returned(int code, int64_t now);

  // A process that never joined has left while nobody has joined: it may well
  // be no GASNet program, so the others are let finish.
  void LeftAlone(int code, int64_t now);

  // A rank is gone.
  void Gone() { ++gone_; }

  // A failure: no linger.
  void Failed(int code, int64_t now);

  // A rank has crashed or was killed, whoever did it and whenever: no linger,
  // and no success.
  void Crashed(int code, int64_t now);

  // Somebody wants the job to end now (a signal, a time-out): no linger; when
  // it is ending anyway, no grace.
  void Interrupted(int code, int64_t now);

  // Time has passed; does what is due.
  void Advance(int64_t now);

  // The ranks cannot end since nobody reads their output. The grace begins
  // anew, unless somebody wants the job to end now.
  void AwaitReader(int64_t now);

  // The clock ran on while everything was stopped.
  void Shift(int64_t nanos);

  Phase phase() const { return phase_; }
  int code() const { return code_; }
  bool interrupted() const { return interrupted_; }
  bool AllGone() const { return gone_ == ranks_; }
  // When Advance next has something to do.
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
