// How the ranks of a job come to reach each other's segments: each registers
// its own, and sends the others the key.
#ifndef CONDUITS_OFI_SEGMENT_KEYS_H_
#define CONDUITS_OFI_SEGMENT_KEYS_H_

#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "conduits/ofi/endpoint.h"
#include "conduits/ofi/transfers.h"
#include "core/segment.h"
#include "job/job.h"

namespace gasnet::ofi {

struct SegmentKeys {
  Segment mine;  // of size 0: it is not registered
  Registered registered;
  std::vector<RemoteMemory> peers;  // by rank; of those that are not, size 0
  bool all = true;                  // are reached
};

// Collective; fails on all ranks when it fails on one. A segment of everything
// is reached by messages where the provider does not take the whole address
// space; any other one must be registered.
absl::StatusOr<SegmentKeys> ExchangeSegmentKeys(
    job::Job& job, Endpoint& endpoint, std::span<const Segment> segments);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_SEGMENT_KEYS_H_
