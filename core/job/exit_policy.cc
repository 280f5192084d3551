#include "core/job/exit_policy.h"

namespace gasnet::job {

void ExitPolicy::Propose(int code) {
  if (code_ == 0 && phase_ <= Phase::kLingering) code_ = code;
}

void ExitPolicy::BeginEnding(int64_t now) {
  phase_ = Phase::kEnding;
  deadline_ = now + times_.grace;
}

void ExitPolicy::Left(int code, int64_t now) {
  ++left_;
  Propose(code);
  if (phase_ > Phase::kLingering) return;
  if (left_ == ranks_) return BeginEnding(now);
  phase_ = Phase::kLingering;
  deadline_ = now + times_.linger;
}

void ExitPolicy::LeftAlone(int code, int64_t now) {
  ++left_;
  Propose(code);
  if (phase_ <= Phase::kLingering && left_ == ranks_) BeginEnding(now);
}

void ExitPolicy::Failed(int code, int64_t now) {
  Propose(code);
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
  if (deadline_ != kNever) deadline_ += nanos;
}

}  // namespace gasnet::job
