// Creates this rank's segment and maps those of its neighbours, in two steps:
//
//     MapSegments     ranks exchange their requests, then each maps on its own
//     ShareSegments   each rank publishes its outcome and its segment's address
//
// Between the two steps, a rank exposes its segment to its network. The second
// step is the last of gasnet_attach: afterwards a rank may send to any rank.
//
// The segments of one host lie one after the other in the host's shared memory,
// behind the memory of the link. All ranks compute the same offsets from all
// requested sizes. If the conduit wants aligned segments, all ranks agree on
// one address. They try a few addresses that are probably free everywhere. Then
// one rank after the other proposes an address that is free in its process.
// Without aligned segments, the kernel chooses an address for each rank, not
// within minheapoffset above its heap.
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
  // The smallest offset of a segment in the host's memory.
  uint64_t first_offset = 0;
  // True if all segments must be at one address.
  bool aligned = false;
  // The number of neighbouring ranks of a host that map each other's segments
  // (GASNET_SUPERNODE_MAXSIZE). Other ranks can only exchange messages.
  uint32_t supernode_size = 1;
};

struct Segments {
  // The end of the segments in the host's memory.
  uint64_t end = 0;
  std::vector<Segment> by_rank;
  std::vector<MappedSegment> peers;  // indexed by rank
  // The mappings of the peers' segments.
  std::vector<SharedMapping> mappings;
};

// Maps the segments. Collective, but may fail on one rank alone: every rank
// still calls ShareSegments(). Fills in everything but the addresses of other
// ranks' segments. Under GASNET_SEGMENT_EVERYTHING every rank's segment is its
// whole address space, and only this rank's segment is mapped. If
// IsReferenceOnly(), no segment is mapped.
absl::Status MapSegments(job::Job& job, const AttachRequest& request,
                         const SegmentRules& rules, Segments& out);

// Returns the offsets of this host's segments in the host's memory, by rank.
// The last entry is the end of the segments. Uses only the sizes in by_rank.
std::vector<uint64_t> SegmentOffsets(const job::Job& job,
                                     std::span<const Segment> by_rank,
                                     uint64_t first_offset);

// The part of the exchange in ShareSegments() that is the same for all
// networks.
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

// Exchanges the outcomes and segments of all ranks. Collective. mine: the
// caller's outcome since MapSegments. Fails on all ranks if one rank failed.
// Ends the job if the ranks' barriers differ. Returns by rank the values
// (trivially copyable) that the networks exchange along with the segments.
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
// the page size. It is the rank's share of the host's free memory, as far as
// GASNET_MAX_SEGSIZE admits. ring_bytes: memory that the message rings may
// still use; it does not count as free. Returns UINTPTR_MAX under
// GASNET_SEGMENT_EVERYTHING.
uintptr_t LargestSegment(const job::Job& job, uint64_t ring_bytes);

// Returns the number of neighbouring ranks of a host in a group:
// GASNET_SUPERNODE_MAXSIZE. The default of 0 means that all are in one group.
uint32_t SupernodeLimit(const job::Job& job);

// Returns the number of ranks that map each other's segments: supernode_size,
// or 1 if MapSegments() maps no other rank's segment.
uint32_t MappedTogether(uint32_t supernode_size);

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_SEGMENTS_H_
