#include "job/launch/exit_policy.h"

#include <algorithm>

namespace gasnet::job {

void ExitPolicy::Propose(int code, Badness badness) {
  if (badness <= badness_) return;
  const bool spoils_success =
      badness == Badness::kCrash && badness_ == Badness::kNone;
  if (phase_ > Phase::kLingering && !spoils_success) return;
  badness_ = badness;
  code_ = code;
}

void ExitPolicy::LingerUntil(int64_t time) {
  phase_ = Phase::kLingering;
  deadline_ = std::min(time, patience_ends_);
}

void ExitPolicy::BeginEnding(int64_t now) {
  phase_ = Phase::kEnding;
  deadline_ = now + times_.grace;
}

void ExitPolicy::Left(int code, int64_t now) {
  ++left_;
  ProposeCode(code);
  if (phase_ > Phase::kLingering) return;
  if (left_ == ranks_) return BeginEnding(now);
  // If all codes so far are 0, waits for the long patience time. On a busy
  // host, ranks may end at very different times, and may still have to print.
  // After a failure the wait is short, because some ranks may hang.
  LingerUntil(now + (code_ == 0 ? times_.patience : times_.linger));
}

void ExitPolicy::Returned(int code, bool ends_job, int64_t now) {
  LeftAlone(code, now);
  const bool is_reason = code != 0 || ends_job;
  if (phase_ > Phase::kLingering || !is_reason || patience_ends_ != kNever) {
    return;
  }
  patience_ends_ = now + times_.patience;
  LingerUntil(deadline_);
}

void ExitPolicy::LeftAlone(int code, int64_t now) {
  ++left_;
  ProposeCode(code);
  if (phase_ <= Phase::kLingering && left_ == ranks_) BeginEnding(now);
}

void ExitPolicy::Failed(int code, int64_t now) {
  ProposeCode(code);
  if (phase_ <= Phase::kLingering) BeginEnding(now);
}

void ExitPolicy::Crashed(int code, int64_t now) {
  Propose(code, Badness::kCrash);
  if (phase_ <= Phase::kLingering) BeginEnding(now);
}

void ExitPolicy::Interrupted(int code, int64_t now) {
  interrupted_ = true;
  if (phase_ <= Phase::kLingering) return Failed(code, now);
  phase_ = Phase::kKilling;
  deadline_ = kNever;
}

void ExitPolicy::Advance(int64_t now) {
  if (now < deadline_) return;
  if (phase_ == Phase::kLingering) return BeginEnding(now);
  phase_ = Phase::kKilling;
  deadline_ = kNever;
}

void ExitPolicy::AwaitReader(int64_t now) {
  if (phase_ == Phase::kEnding && !interrupted_) BeginEnding(now);
}

void ExitPolicy::Shift(int64_t nanos) {
  for (int64_t* const time : {&deadline_, &patience_ends_}) {
    if (*time != kNever) *time += nanos;
  }
}

}  // namespace gasnet::job
