// The exchange of keys. A rank registers its segment and sends the key to the
// other ranks. They need the key to access the segment.
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
  Segment segment;  // size 0 if not registered
  Registered registered;
};

// A rank's contribution to the exchange of keys.
struct SegmentKey {
  uint64_t key;
  uint64_t first;
  bool reached;
};

// Registers this rank's segment. The provider may refuse to register the whole
// address space as a segment. Messages then carry the data of puts and gets.
// Any other refusal is an error.
absl::StatusOr<OwnSegment> RegisterOwn(OfiEndpoint& endpoint,
                                       const Segment& segment);

SegmentKey KeyOf(const OfiEndpoint& endpoint, const OwnSegment& own);

// Returns the memory of all ranks, indexed by rank. If transfers cannot reach a
// rank's segment, the rank's size is 0.
std::vector<RemoteMemory> MemoryOf(std::span<const Segment> segments,
                                   std::span<const SegmentKey> keys);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_SEGMENT_KEYS_H_
