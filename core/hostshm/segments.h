// Makes this rank's segment and maps those of its neighbours, in two steps:
//
//     MapSegments     ranks exchange their requests, then each maps by itself
//     ShareSegments   each publishes its outcome and its segment's address
//
// In between, a rank exposes its segment to its network. The second step is the
// last of gasnet_attach: after it any rank may be sent to.
//
// The segments of one host lie one after the other in the host's shared memory,
// behind the memory of the link. All ranks compute the same offsets from all
// requested sizes. If the conduit wants aligned segments, all ranks agree on
// one address: they try a few that are probably free everywhere, then one rank
// after the other proposes an address that is free in its process. Otherwise
// the kernel chooses an address for each rank, not within minheapoffset above
// its heap.
#ifndef CORE_HOSTSHM_SEGMENTS_H_
#define CORE_HOSTSHM_SEGMENTS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/hostshm/shared_mapping.h"
#include "core/segment.h"
#include "job/gather.h"
#include "job/job.h"

namespace gasnet::hostshm {

struct SegmentRules {
  // The least offset of segments in the host's memory.
  uint64_t first_offset = 0;
  // All segments are at one address.
  bool aligned = false;
  // The number of neighbouring ranks of a host that map each other's segments
  // (GASNET_SUPERNODE_MAXSIZE). Others exchange messages only.
  uint32_t supernode_size = 1;
};

struct Segments {
  // The end of the segments in the host's memory.
  uint64_t end = 0;
  std::vector<Segment> by_rank;
  std::vector<MappedSegment> peers;  // by rank
  // The mappings of the peers' segments.
  std::vector<SharedMapping> mappings;
};

// Collective, but may fail on one rank alone: ShareSegments follows in any
// case. Fills in everything but the addresses of other ranks' segments. Under
// GASNET_SEGMENT_EVERYTHING every rank's segment is its whole address space,
// and only this rank's is mapped; if IsReferenceOnly, none is.
absl::Status MapSegments(job::Job& job, const AttachRequest& request,
                         const SegmentRules& rules, Segments& out);

// Returns the offsets of this host's segments in its memory, by rank; the last
// entry is the end. Uses only the sizes in by_rank.
std::vector<uint64_t> SegmentOffsets(const job::Job& job,
                                     std::span<const Segment> by_rank,
                                     uint64_t first_offset);

// The part of a rank's last exchange that is independent of the network.
struct SharedPart {
  uint64_t ok;
  uint64_t base;
  uint64_t barrier;
};
SharedPart PartOf(const job::Job& job, const AttachRequest& request,
                  const absl::Status& mine, const Segments& segments);
absl::Status TakeParts(job::Job& job, const AttachRequest& request,
                       const absl::Status& mine,
                       std::span<const SharedPart> parts, Segments& out);

// Collective. mine: the caller's outcome since MapSegments. Fails on all ranks
// if one failed, or if their barriers differ. Returns the values that the
// networks exchange along with it (trivially copyable), by rank.
template <class Exposed>
absl::StatusOr<std::vector<Exposed>> ShareSegments(job::Job& job,
                                                   const AttachRequest& request,
                                                   const absl::Status& mine,
                                                   const Exposed& exposed,
                                                   Segments& out) {
  struct Part {
    SharedPart shared;
    Exposed exposed;
  };
  std::vector<SharedPart> parts;
  std::vector<Exposed> others;
  for (const Part& part :
       job::Gather(job, Part{PartOf(job, request, mine, out), exposed})) {
    parts.push_back(part.shared);
    others.push_back(part.exposed);
  }
  const absl::Status taken = TakeParts(job, request, mine, parts, out);
  if (!taken.ok()) return taken;
  return others;
}

// Returns the largest segment that this rank can probably have, a multiple of
// the page size: its share of the part of the host's free memory that
// GASNET_MAX_SEGSIZE admits. ring_bytes: memory that the message rings may come
// to use, which does not count as free. UINTPTR_MAX under
// GASNET_SEGMENT_EVERYTHING.
uintptr_t LargestSegment(const job::Job& job, uint64_t ring_bytes);

// Returns the number of neighbouring ranks of a host in a group:
// GASNET_SUPERNODE_MAXSIZE. Its default of 0 means all.
uint32_t SupernodeLimit(const job::Job& job);

// Returns the number of ranks that map each other's segments: supernode_size,
// or 1 if memory is hidden (see MapSegments).
uint32_t MappedTogether(uint32_t supernode_size);

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_SEGMENTS_H_
