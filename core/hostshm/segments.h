// Makes this rank's segment and maps those of its neighbours, in two steps:
//
//   MapSegments     all ranks say what they want, then each maps by itself
//   ShareSegments   each says how it fared and where its segment is
//
// Between them a rank makes its segment known to its network. The second step
// is the last of gasnet_attach: after it any rank may be sent to.
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
  // Where in the host's memory segments may begin.
  uint64_t first_offset = 0;
  // All segments at one address.
  bool aligned = false;
  // How many neighbouring ranks of a host map each other's segments
  // (GASNET_SUPERNODE_MAXSIZE); the rest exchange messages only.
  uint32_t supernode_size = 1;
};

struct Segments {
  // Where they end in the host's memory.
  uint64_t end = 0;
  std::vector<Segment> by_rank;
  std::vector<MappedSegment> peers;  // by rank
  // The memory that peers are mapped in, as long as this lives.
  std::vector<SharedMapping> mappings;
};

// Collective, but may fail on one rank alone: ShareSegments follows in any
// case. Fills in all but where the segments of others are. Under
// GASNET_SEGMENT_EVERYTHING every rank's segment is all of its address space,
// and only this rank's is mapped; where IsReferenceOnly none is.
absl::Status MapSegments(job::Job& job, const AttachRequest& request,
                         const SegmentRules& rules, Segments& out);

// Returns where the segments of my host lie in its memory, by rank, of which
// the sizes alone count; the last entry is the end.
std::vector<uint64_t> SegmentOffsets(const job::Job& job,
                                     std::span<const Segment> by_rank,
                                     uint64_t first_offset);

// The part in the last step that no network knows of.
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

// Collective. `mine`: how the caller fared since MapSegments; fails on all
// ranks where one did not fare well, or where their barriers differ. Returns by
// rank what the networks exchange besides (trivially copyable).
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

// The largest segment this rank can likely have, a page multiple: its share of
// what GASNET_MAX_SEGSIZE admits of the host's free memory, of which the
// message rings may come to use ring_bytes. UINTPTR_MAX under
// GASNET_SEGMENT_EVERYTHING.
uintptr_t LargestSegment(const job::Job& job, uint64_t ring_bytes);

// How many neighbouring ranks of a host go together: GASNET_SUPERNODE_MAXSIZE,
// where 0, the default, means all.
uint32_t SupernodeLimit(const job::Job& job);

// How many of those map each other's segments: supernode_size, or 1 where
// memory is hidden (see MapSegments).
uint32_t MappedTogether(uint32_t supernode_size);

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_SEGMENTS_H_
