#include "portals/datagram/aside.h"

#include <algorithm>

#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

int64_t NapOf(int64_t dense) {
  return std::clamp(dense / kAsideShare, kAside, kMaxAside);
}

}  // namespace

// Begins a series of naps, after other threads have polled. Halves the
// remembered time in which other threads only polled.
int64_t Aside::Begin() {
  dense_ /= 2;
  absent_ = 0;
  return nap_ = NapOf(dense_);
}

int64_t Aside::Next(const Seen& seen) {
  const bool computes = seen.ran > kDensePolls * (int64_t{seen.polls} + 1);
  dense_ = computes ? 0 : dense_ + nap_;
  absent_ = seen.polls == 0 ? absent_ + nap_ : 0;
  if (seen.polls == 0 && (computes || absent_ >= kMaxAbsent)) return nap_ = 0;
  // Takes a short nap after a long one, because the other threads may have
  // stopped polling early in the long nap.
  const bool may_have_stopped = seen.polls > 0 && nap_ > kAside;
  return nap_ = may_have_stopped ? kAside : NapOf(dense_);
}

}  // namespace gasnet::portals4
