// The segments of endpoints other than 0:
//
// - segments bound in this process; peers reach them by messages
// - segments that peers have published to this process
//   (gex_EP_PublishBoundSegment)
//
// Memory grows with the number of published segments, not with the ranks of the
// job. Any thread may call. No thread uses a segment while it is being bound or
// unbound, so a reader finds either the previous binding or none.
#ifndef CORE_FURTHER_SEGMENTS_H_
#define CORE_FURTHER_SEGMENTS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/endpoint_index.h"
#include "core/rank.h"
#include "core/segment.h"

namespace gasnet {

class FurtherSegments {
 public:
  // Binds the segment to this process's endpoint. An empty segment unbinds.
  void Bind(EndpointIndex index, const Segment& segment);
  // Returns the segment of an endpoint of this process; its size is 0 if there
  // is none.
  Segment BoundTo(EndpointIndex index) const;
  // Returns true if the range lies inside one bound segment.
  bool Contains(uintptr_t address, size_t nbytes) const;

  // Records the segment of an endpoint of any rank. An empty segment removes
  // it.
  void Publish(Rank rank, EndpointIndex index, const Segment& segment)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the published segment; its size is 0 if there is none.
  Segment Published(Rank rank, EndpointIndex index) const
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Bound {
    std::atomic<uintptr_t> base{0};
    std::atomic<uintptr_t> size{0};  // 0 if unbound; stored last and read first
  };

  std::array<Bound, kMaxEndpoints> bound_;
  mutable absl::Mutex mutex_;
  // The key combines rank and endpoint.
  absl::flat_hash_map<uint64_t, Segment> published_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace gasnet

#endif  // CORE_FURTHER_SEGMENTS_H_
