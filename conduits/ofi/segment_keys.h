// The exchange of keys, by which ranks reach each other's segments: each rank
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

// Registers this rank's segment. If the provider refuses a segment of the whole
// address space, messages reach it. Any other refusal is an error.
absl::StatusOr<OwnSegment> RegisterOwn(Endpoint& endpoint,
                                       const Segment& segment);

SegmentKey KeyOf(const Endpoint& endpoint, const OwnSegment& own);

// Returns the memory of all ranks, indexed by rank; of size 0 for ranks that
// are not reached by transfers.
std::vector<RemoteMemory> MemoryOf(std::span<const Segment> segments,
                                   std::span<const SegmentKey> keys);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_SEGMENT_KEYS_H_
