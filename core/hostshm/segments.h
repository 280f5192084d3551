// Makes this rank's segment and maps those of its neighbours.
//
// The segments of one host lie one after the other in the host's shared memory,
// behind what the link uses. All ranks compute the same offsets from the sizes
// that everybody asked for. Where the conduit wants aligned segments, all ranks
// agree on one address: they try a few that are likely to be free everywhere,
// then ask one rank after the other for an address that is free with it.
// Elsewhere each takes what the kernel gives, unless that is within
// minheapoffset above its heap.
#ifndef CORE_HOSTSHM_SEGMENTS_H_
#define CORE_HOSTSHM_SEGMENTS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "core/segment.h"
#include "job/job.h"

namespace gasnet::hostshm {

struct SegmentRules {
  // Where in the host's memory segments may begin.
  uint64_t first_offset = 0;
  // All segments at one address.
  bool aligned = false;
  // How many neighbouring ranks of a host map each other's segments
  // (GASNET_SUPERNODE_MAXSIZE); the rest exchange messages only.
  uint32_t supernode_size = 1;
};

struct Segments {
  std::vector<Segment> by_rank;
  std::vector<MappedSegment> peers;  // by rank
};

// Collective. Fails on all ranks when it fails on one. Under
// GASNET_SEGMENT_EVERYTHING every rank's segment is all of its address space,
// and only this rank's is mapped; where IsReferenceOnly none is.
absl::Status AttachSegments(job::Job& job, const AttachRequest& request,
                            const SegmentRules& rules, Segments& out);

// The largest segment this rank can likely have, a page multiple: its share of
// what GASNET_MAX_SEGSIZE admits of the host's free memory, of which the
// message rings may come to use ring_bytes. UINTPTR_MAX under
// GASNET_SEGMENT_EVERYTHING.
uintptr_t LargestSegment(const job::Job& job, uint64_t ring_bytes);

// How many neighbouring ranks of a host go together: GASNET_SUPERNODE_MAXSIZE,
// where 0, the default, means all.
uint32_t SupernodeLimit(const job::Job& job);

// How many of those map each other's segments: supernode_size, or 1 where
// memory is hidden (see AttachSegments).
uint32_t MappedTogether(uint32_t supernode_size);

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_SEGMENTS_H_
