#include "conduits/ofi/segment_keys.h"

#include <cstdint>

#include "core/rank.h"
#include "core/reference_only.h"

namespace gasnet::ofi {
namespace {

bool IsEverything(const Segment& segment) {
  return segment.size == UINTPTR_MAX;
}

// Returns true if this rank should try to register the segment.
bool CanRegister(const Segment& segment, const Paths& paths) {
  if (segment.size == 0 || IsReferenceOnly()) return false;
  return !IsEverything(segment) || !paths.allocated;
}

}  // namespace

absl::StatusOr<OwnSegment> RegisterOwn(OfiEndpoint& endpoint,
                                       const Segment& segment) {
  if (!CanRegister(segment, endpoint.paths())) return OwnSegment();
  const absl::StatusOr<Registered> made = endpoint.RegisterSegment(segment);
  if (made.ok()) return OwnSegment{segment, *made};
  if (IsEverything(segment)) return OwnSegment();
  return made.status();
}

SegmentKey KeyOf(const OfiEndpoint& endpoint, const OwnSegment& own) {
  return {.key = own.registered.key,
          .first = endpoint.paths().virtual_addresses ? own.segment.base : 0,
          .reached = own.segment.size > 0};
}

std::vector<RemoteMemory> MemoryOf(std::span<const Segment> segments,
                                   std::span<const SegmentKey> keys) {
  std::vector<RemoteMemory> memory(keys.size());
  for (Rank rank = 0; rank < keys.size(); ++rank) {
    const SegmentKey& key = keys[rank];
    if (key.reached) memory[rank] = {key.key, key.first, segments[rank]};
  }
  return memory;
}

}  // namespace gasnet::ofi
