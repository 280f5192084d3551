#include "core/datagram/path_size.h"

#include <limits>

#include "core/datagram/tuning.h"

namespace gasnet::datagram {

void PathSize::Use(const PathSizes& sizes, unsigned step) {
  proven_ = static_cast<uint8_t>(step);
  bytes_ = static_cast<uint32_t>(sizes[step]);
  Hear(sizes, 0);
  Decide(sizes);
}

void PathSize::Hear(const PathSizes& sizes, size_t bytes) {
  unsigned step = heard();
  while (step < sizes.top() && bytes >= sizes[step + 1]) ++step;
  flags_ = static_cast<uint8_t>((flags_ & ~kStepMask) | step << kStepShift);
  unheard_bytes_ = step < sizes.top() ? static_cast<uint32_t>(sizes[step + 1])
                                      : std::numeric_limits<uint32_t>::max();
}

void PathSize::OnTold(const PathSizes& sizes, uint8_t flags) {
  if ((flags & kForget) != 0) {
    flags_ &= static_cast<uint8_t>(~kStepMask);
    Hear(sizes, 0);
  }
  const unsigned step = (flags & kStepMask) >> kStepShift;
  if (IsDoubting()) {
    if (step != 0) return;
    flags_ &= static_cast<uint8_t>(~kForget);
    Decide(sizes);
  } else if (step > proven_) {
    Use(sizes, std::min(step, sizes.top()));
  }
}

void PathSize::Doubt(const PathSizes& sizes) {
  if (proven_ == 0) return;
  flags_ |= kForget;
  sequence_ = 0;
  given_up_ = tries_ = 0;
  Use(sizes, 0);
}

void PathSize::Decide(const PathSizes& sizes) {
  proves_ =
      !IsDoubting() && proven_ + given_up_ < static_cast<int>(sizes.top());
  expected_ =
      IsDoubting() ? kAnything : static_cast<uint8_t>(proven_ << kStepShift);
}

size_t PathSize::TryWith(const PathSizes& sizes, Lane lane, uint64_t sequence,
                         size_t bytes) {
  const size_t size = sizes[sizes.top() - given_up_];
  if (bytes > size) return 0;
  if (sequence_ == 0) {
    sequence_ = sequence;
    lane_ = lane;
  }
  return lane_ == lane && sequence_ == sequence ? size : 0;
}

bool PathSize::EndTry(const PathSizes& sizes, const LaneAcks& acks) {
  if (!acks[static_cast<size_t>(lane_)].Covers(sequence_)) return false;
  sequence_ = 0;
  if (!proves_ || ++tries_ < kMaxTries) return false;
  tries_ = 0;
  ++given_up_;
  Decide(sizes);
  return given_up_ == 1;
}

}  // namespace gasnet::datagram
