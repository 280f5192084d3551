#include "conduits/ofi/segment_keys.h"

#include <cstdint>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "core/rank.h"
#include "core/reference_only.h"
#include "job/gather.h"
#include "job/shared_failure.h"

namespace gasnet::ofi {
namespace {

// The contribution of a rank to the exchange.
struct Key {
  uint64_t key;
  uint64_t first;
  uint8_t ok;
  uint8_t reached;
};
static_assert(std::is_trivially_copyable_v<Key>);

bool IsEverything(const Segment& segment) {
  return segment.size == UINTPTR_MAX;
}

// Whether it is of any use to try.
bool CanRegister(const Segment& segment, const Paths& paths) {
  if (segment.size == 0 || IsReferenceOnly()) return false;
  return !IsEverything(segment) || !paths.allocated;
}

// OK where it may be reached by messages as well.
absl::Status RegisterMine(Endpoint& endpoint, SegmentKeys& keys) {
  if (!CanRegister(keys.mine, endpoint.paths())) {
    keys.mine = {};
    return absl::OkStatus();
  }
  absl::StatusOr<Registered> made = endpoint.RegisterSegment(keys.mine);
  if (made.ok()) {
    keys.registered = *made;
    return absl::OkStatus();
  }
  const bool goes_without = IsEverything(keys.mine);
  keys.mine = {};
  return goes_without ? absl::OkStatus() : made.status();
}

}  // namespace

absl::StatusOr<SegmentKeys> ExchangeSegmentKeys(
    job::Job& job, Endpoint& endpoint, std::span<const Segment> segments) {
  SegmentKeys keys;
  keys.mine = segments[job.rank()];
  const absl::Status status = RegisterMine(endpoint, keys);
  Key key = {};
  key.ok = status.ok();
  key.key = keys.registered.key;
  key.first = endpoint.paths().virtual_addresses ? keys.mine.base : 0;
  key.reached = keys.mine.size > 0;
  const std::vector<Key> all = job::Gather(job, key);
  keys.peers.resize(all.size());
  for (Rank rank = 0; rank < all.size(); ++rank) {
    if (all[rank].ok == 0) {
      return job::ReportFirst(job, "gasnet_attach", rank, status,
                              "could not register its segment");
    }
    keys.all &= all[rank].reached != 0;
    if (all[rank].reached == 0) continue;
    keys.peers[rank] = {all[rank].key, all[rank].first, segments[rank]};
  }
  return keys;
}

}  // namespace gasnet::ofi
