#include "core/further_segments.h"

namespace gasnet {
namespace {

uint64_t KeyOf(Rank rank, EndpointIndex index) {
  return uint64_t{rank} * kMaxEndpoints + index;
}

}  // namespace

void FurtherSegments::Bind(EndpointIndex index, const Segment& segment) {
  Bound& bound = bound_[index];
  bound.size.store(0, std::memory_order_relaxed);
  bound.base.store(segment.base, std::memory_order_relaxed);
  bound.size.store(segment.size, std::memory_order_release);
}

Segment FurtherSegments::BoundTo(EndpointIndex index) const {
  const Bound& bound = bound_[index];
  // Pairs with the release store of the size in Bind().
  const uintptr_t size = bound.size.load(std::memory_order_acquire);
  return {bound.base.load(std::memory_order_relaxed), size};
}

bool FurtherSegments::Contains(uintptr_t address, size_t nbytes) const {
  for (unsigned index = 0; index < kMaxEndpoints; ++index) {
    const Segment segment = BoundTo(static_cast<EndpointIndex>(index));
    if (segment.size > 0 && segment.Contains(address, nbytes)) return true;
  }
  return false;
}

void FurtherSegments::Publish(Rank rank, EndpointIndex index,
                              const Segment& segment) {
  const absl::MutexLock lock(&mutex_);
  if (segment.size == 0) {
    published_.erase(KeyOf(rank, index));
  } else {
    published_[KeyOf(rank, index)] = segment;
  }
}

Segment FurtherSegments::Published(Rank rank, EndpointIndex index) const {
  const absl::MutexLock lock(&mutex_);
  const auto found = published_.find(KeyOf(rank, index));
  return found == published_.end() ? Segment{} : found->second;
}

}  // namespace gasnet
