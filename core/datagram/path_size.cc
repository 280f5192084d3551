#include "core/datagram/path_size.h"

#include <limits>

namespace gasnet::datagram {

void PathSize::Use(const PathSizes& sizes, unsigned step) {
  proven_ = static_cast<uint8_t>(step);
  bytes_ = static_cast<uint32_t>(sizes[step]);
  Hear(sizes, 0);
  Decide(sizes);
}

void PathSize::Hear(const PathSizes& sizes, size_t bytes) {
  while (heard_ < sizes.top() && bytes >= sizes[heard_ + 1]) ++heard_;
  unheard_bytes_ = heard_ < sizes.top()
                       ? static_cast<uint32_t>(sizes[heard_ + 1])
                       : std::numeric_limits<uint32_t>::max();
}

void PathSize::Decide(const PathSizes& sizes) {
  proves_ = proven_ + given_up_ < static_cast<int>(sizes.top());
}

size_t PathSize::TryWith(const PathSizes& sizes, am::Lane lane,
                         uint64_t sequence) {
  if (sequence_ == 0) {
    sequence_ = sequence;
    lane_ = lane;
  }
  if (lane_ != lane || sequence_ != sequence) return 0;
  return sizes[sizes.top() - given_up_];
}

bool PathSize::EndTry(const PathSizes& sizes, const LaneAcks& acks) {
  if (!acks[static_cast<size_t>(lane_)].Covers(sequence_)) return false;
  sequence_ = 0;
  if (!proves_ || ++tries_ < kMostTries) return false;
  tries_ = 0;
  ++given_up_;
  Decide(sizes);
  return given_up_ == 1;
}

}  // namespace gasnet::datagram
