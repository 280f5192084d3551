#include "conduits/portals/md_cache.h"

#include <algorithm>

namespace gasnet::portals_conduit {
namespace {

MdCache::Limits Whole(MdCache::Limits limits) {
  const uint64_t page = limits.page;
  limits.regions = std::max(limits.regions, 1u);
  limits.bytes = std::max(limits.bytes, page);
  limits.region_bytes = std::min(limits.region_bytes, limits.bytes);
  limits.region_bytes = std::max(limits.region_bytes / page * page, page);
  return limits;
}

}  // namespace

MdCache::MdCache(const Limits& limits)
    : limits_(Whole(limits)), regions_(limits_.regions) {
  unused_.reserve(limits_.regions);
  by_start_.reserve(limits_.regions);
  for (Number n = limits_.regions; n > 0; --n) unused_.push_back(n - 1);
}

size_t MdCache::Behind(uintptr_t address) const {
  const auto at = std::upper_bound(
      by_start_.begin(), by_start_.end(), address,
      [this](uintptr_t a, Number n) { return a < regions_[n].range.start; });
  return static_cast<size_t>(at - by_start_.begin());
}

std::optional<MdCache::Number> MdCache::Find(uintptr_t address) {
  const size_t behind = Behind(address);
  if (behind == 0) return std::nullopt;
  const Number number = by_start_[behind - 1];
  Region& region = regions_[number];
  if (address >= region.range.end) return std::nullopt;
  if (region.users++ == 0) ++in_use_;
  return number;
}

MdCache::Range MdCache::RangeFor(uintptr_t address, uint64_t nbytes,
                                 uint64_t most) const {
  const uint64_t page = limits_.page;
  const uintptr_t start = address / page * page;
  uint64_t bytes = std::min(limits_.region_bytes, most);
  // This comparison does not overflow for any `nbytes`.
  const uint64_t before = address - start;
  if (nbytes < bytes - before) {
    bytes = (before + nbytes + page - 1) / page * page;
  }
  const size_t behind = Behind(address);
  if (behind < by_start_.size()) {
    bytes = std::min(bytes, regions_[by_start_[behind]].range.start - start);
  }
  return {start, start + bytes};
}

bool MdCache::HasRoom(uint64_t bytes) const {
  return !unused_.empty() && bytes_ + bytes <= limits_.bytes;
}

MdCache::Number MdCache::Add(const Range& range) {
  const Number number = unused_.back();
  unused_.pop_back();
  regions_[number] = {.range = range, .users = 1};
  const auto at = static_cast<ptrdiff_t>(Behind(range.start));
  by_start_.insert(by_start_.begin() + at, number);
  bytes_ += range.bytes();
  ++in_use_;
  return number;
}

bool MdCache::End(Number number) {
  Region& region = regions_[number];
  if (--region.users > 0) return false;
  --in_use_;
  region.idle_since = ++ends_;
  return true;
}

std::optional<MdCache::Number> MdCache::Victim() const {
  std::optional<Number> victim;
  for (const Number number : by_start_) {
    const Region& region = regions_[number];
    if (region.users > 0) continue;
    if (!victim || region.idle_since < regions_[*victim].idle_since) {
      victim = number;
    }
  }
  return victim;
}

void MdCache::Remove(Number number) {
  const Range& range = regions_[number].range;
  const auto at = static_cast<ptrdiff_t>(Behind(range.start)) - 1;
  by_start_.erase(by_start_.begin() + at);
  bytes_ -= range.bytes();
  unused_.push_back(number);
}

}  // namespace gasnet::portals_conduit
