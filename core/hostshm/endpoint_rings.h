// The rings between endpoints of any two indices, in the host memory behind the
// segments of endpoints 0. Each pair (from, to) has the rings of all groups, as
// rings.h has them for the pair (0, 0). All ranks compute the same places.
// Memory is used when it is first touched, and mapped when a link first needs
// it, so a pair that never talks costs nothing.
//
//   behind the segments:  (0, 0) unused  (0, 1)  (0, 2)  ...  (31, 31)
//
// Each pair ends with a page that no rank reads. A rank that maps a pair writes
// there, which makes the file long enough whatever others do, and never
// shorter.
#ifndef CORE_HOSTSHM_ENDPOINT_RINGS_H_
#define CORE_HOSTSHM_ENDPOINT_RINGS_H_

#include <cstdint>
#include <map>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "core/endpoint_index.h"
#include "core/hostshm/host_link.h"
#include "core/hostshm/rings.h"
#include "core/hostshm/shared_mapping.h"
#include "job/job.h"

namespace gasnet::hostshm {

class EndpointRings {
 public:
  // rings: those of the pair (0, 0); they outlive this.
  EndpointRings(job::Job& job, const Rings& rings) : job_(job), rings_(rings) {}

  // Sets the end of the segments of endpoints 0. Called first.
  void Begin(uint64_t segments_end) { begin_ = segments_end; }
  // Returns the offset behind all pairs.
  uint64_t end() const;

  // Returns the memory of a link from endpoint `own` of this rank to endpoints
  // `partner` of the others. Any thread. A pair stays mapped as long as this
  // lives.
  absl::StatusOr<HostMemory> LinkMemory(EndpointIndex own,
                                        EndpointIndex partner);

 private:
  absl::StatusOr<unsigned char*> Map(EndpointIndex from, EndpointIndex to)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  uint64_t PairBytes() const;

  job::Job& job_;
  const Rings& rings_;
  uint64_t begin_ = 0;
  absl::Mutex mutex_;
  std::map<unsigned, SharedMapping> mapped_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_ENDPOINT_RINGS_H_
