// The exchange by which the ranks of a job reach each other's segments: each
// registers its own, and the others get the key.
#ifndef CONDUITS_OFI_SEGMENT_KEYS_H_
#define CONDUITS_OFI_SEGMENT_KEYS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "conduits/ofi/endpoint.h"
#include "conduits/ofi/transfers.h"
#include "core/segment.h"

namespace gasnet::ofi {

struct OwnSegment {
  Segment segment;  // size 0 if it is not registered
  Registered registered;
};

// The contribution of a rank to the exchange.
struct SegmentKey {
  uint64_t key;
  uint64_t first;
  bool reached;
};

// Registers this rank's segment. A segment of everything is reached by messages
// if the provider does not take the whole address space; any other must be
// registered.
absl::StatusOr<OwnSegment> RegisterOwn(Endpoint& endpoint,
                                       const Segment& segment);

SegmentKey KeyOf(const Endpoint& endpoint, const OwnSegment& own);

// Returns the memory of all, indexed by rank; of size 0 for ranks that are not
// reached.
std::vector<RemoteMemory> MemoryOf(std::span<const Segment> segments,
                                   std::span<const SegmentKey> keys);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_SEGMENT_KEYS_H_
