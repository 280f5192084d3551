// How the ranks of a job come to reach each other's segments: each registers
// its own, and the others get the key.
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
  Segment segment;  // of size 0: it is not registered
  Registered registered;
};

// The contribution of a rank to the exchange.
struct SegmentKey {
  uint64_t key;
  uint64_t first;
  bool reached;
};

// Registers this rank's segment. A segment of everything is reached by messages
// where the provider does not take the whole address space; any other one must
// be registered.
absl::StatusOr<OwnSegment> RegisterOwn(Endpoint& endpoint,
                                       const Segment& segment);

SegmentKey KeyOf(const Endpoint& endpoint, const OwnSegment& own);

// By rank; of those that are not reached, of size 0.
std::vector<RemoteMemory> MemoryOf(std::span<const Segment> segments,
                                   std::span<const SegmentKey> keys);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_SEGMENT_KEYS_H_
