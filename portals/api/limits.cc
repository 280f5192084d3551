#include "portals/api/limits.h"

#include <algorithm>

#include "portals/api/given_job.h"
#include "portals/api/knobs.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

// The bounds of a limit. If a program requests no limits at all, the limit is
// `unasked`. If the program sets the field to 0 or less, the limit is `floor`,
// the minimum of the specification. No limit exceeds `most`.
struct Bounds {
  uint64_t floor;
  uint64_t unasked;
  uint64_t most;
};

// kMaxCounts.pts keeps max_pt_index at 255 or below. An event with a greater
// index would need a second line of its queue.
constexpr Bounds kEntries = {1, 16384, kMaxCounts.entries};
constexpr Bounds kUnexpected = {1, 16384, kMaxCounts.unexpected};
constexpr Bounds kMds = {1, 1024, kMaxCounts.mds};
constexpr Bounds kCts = {1, 1024, kMaxCounts.cts};
constexpr Bounds kEqs = {1, 256, kMaxCounts.eqs};
constexpr Bounds kPtIndex = {63, 63, kMaxCounts.pts - 1};
constexpr Bounds kIovecs = {1, 256, 16384};
constexpr Bounds kListSize = {1, 16384, kMaxCounts.entries};
constexpr Bounds kTriggered = {1, 4096, kMaxCounts.triggers};
constexpr uint64_t kAny = uint64_t{1} << 40;
constexpr Bounds kMessage = {64, kAny, kAny};
constexpr Bounds kAtomic = {64, uint64_t{1} << 20, kAny};
constexpr Bounds kFetchAtomic = {64, uint64_t{1} << 20, kAny};
constexpr Bounds kWaw = {64, kAny, kAny};
constexpr Bounds kWar = {8, kAny, kAny};
constexpr Bounds kVolatile = {64, kAny, kAny};

constexpr unsigned kFeatures = PTL_TARGET_BIND_INACCESSIBLE |
                               PTL_TOTAL_DATA_ORDERING | PTL_COHERENT_ATOMICS;
// Only an interface that asks for coherent atomics has them, since they may
// take a thread (memory/help.h).
constexpr unsigned kUnaskedFeatures =
    kFeatures & ~unsigned{PTL_COHERENT_ATOMICS};

uint64_t Bring(uint64_t wanted, Bounds bounds, const char* name) {
  const uint64_t most = std::min(bounds.most, Knobs().Limit(name, bounds.most));
  return std::min(wanted > 0 ? wanted : bounds.floor, most);
}

int Clamp(const int* desired, Bounds bounds, const char* name) {
  const uint64_t wanted = desired == nullptr
                              ? bounds.unasked
                              : static_cast<uint64_t>(std::max(*desired, 0));
  return static_cast<int>(std::max<uint64_t>(Bring(wanted, bounds, name), 1));
}

ptl_size_t Clamp(const ptl_size_t* desired, Bounds bounds, const char* name) {
  return Bring(desired == nullptr ? bounds.unasked : *desired, bounds, name);
}

// Reduces the limits to those of operations between hosts.
void Narrow(ptl_ni_limits_t& limits) {
  for (const auto field : {&ptl_ni_limits_t::max_atomic_size,
                           &ptl_ni_limits_t::max_fetch_atomic_size,
                           &ptl_ni_limits_t::max_waw_ordered_size,
                           &ptl_ni_limits_t::max_war_ordered_size,
                           &ptl_ni_limits_t::max_volatile_size}) {
    limits.*field = std::min<ptl_size_t>(limits.*field, kWholeBytes);
  }
}

}  // namespace

ptl_ni_limits_t ActualLimits(const ptl_ni_limits_t* desired) {
  ptl_ni_limits_t actual = {};
  const auto set = [&](auto field, Bounds bounds, const char* name) {
    actual.*field =
        Clamp(desired != nullptr ? &(desired->*field) : nullptr, bounds, name);
  };
  set(&ptl_ni_limits_t::max_entries, kEntries, "max_entries");
  set(&ptl_ni_limits_t::max_unexpected_headers, kUnexpected,
      "max_unexpected_headers");
  set(&ptl_ni_limits_t::max_mds, kMds, "max_mds");
  set(&ptl_ni_limits_t::max_cts, kCts, "max_cts");
  set(&ptl_ni_limits_t::max_eqs, kEqs, "max_eqs");
  set(&ptl_ni_limits_t::max_pt_index, kPtIndex, "max_pt_index");
  set(&ptl_ni_limits_t::max_iovecs, kIovecs, "max_iovecs");
  set(&ptl_ni_limits_t::max_list_size, kListSize, "max_list_size");
  set(&ptl_ni_limits_t::max_triggered_ops, kTriggered, "max_triggered_ops");
  set(&ptl_ni_limits_t::max_msg_size, kMessage, "max_msg_size");
  set(&ptl_ni_limits_t::max_atomic_size, kAtomic, "max_atomic_size");
  set(&ptl_ni_limits_t::max_fetch_atomic_size, kFetchAtomic,
      "max_fetch_atomic_size");
  set(&ptl_ni_limits_t::max_waw_ordered_size, kWaw, "max_waw_ordered_size");
  set(&ptl_ni_limits_t::max_war_ordered_size, kWar, "max_war_ordered_size");
  set(&ptl_ni_limits_t::max_volatile_size, kVolatile, "max_volatile_size");
  const bool carried = GetCarrier() != nullptr;
  if (carried) Narrow(actual);
  const auto offered =
      static_cast<unsigned>(Knobs().Limit("features", kFeatures)) & kFeatures &
      ~(carried ? unsigned{PTL_TOTAL_DATA_ORDERING} : 0U);
  actual.features =
      (desired != nullptr ? desired->features : kUnaskedFeatures) & offered;
  return actual;
}

Counts CountsOf(const ptl_ni_limits_t& limits) {
  return {.pts = static_cast<uint32_t>(limits.max_pt_index) + 1,
          .entries = static_cast<uint32_t>(limits.max_entries),
          .unexpected = static_cast<uint32_t>(limits.max_unexpected_headers),
          .mds = static_cast<uint32_t>(limits.max_mds),
          .eqs = static_cast<uint32_t>(limits.max_eqs),
          .cts = static_cast<uint32_t>(limits.max_cts),
          .triggers = static_cast<uint32_t>(limits.max_triggered_ops)};
}

}  // namespace gasnet::portals4
