// The rings between endpoints of any two indices, and the rings of the rails
// between endpoints 0. They lie in the host memory, behind the segments of
// endpoints 0. Each pair of indices (from, to) and each rail has the rings of
// all groups, laid out like the rings of pair (0, 0) and rail 0 (rings.h). All
// ranks compute the same places. Memory is mapped when a link first needs it,
// and used when it is first touched. So a pair that never communicates costs
// nothing.
//
//     behind the segments:  rail 1  rail 2  ...  rail 15
//                           (0, 1)  (0, 2)  ...  (31, 31)
//
// The rings of each group end with a page that no rank reads. A rank that maps
// the rings writes to this page. The write makes the file long enough, in
// whatever order the ranks map, and never shortens it.
#ifndef CORE_HOSTSHM_ENDPOINT_RINGS_H_
#define CORE_HOSTSHM_ENDPOINT_RINGS_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "core/endpoint_index.h"
#include "core/hostshm/host_link.h"
#include "core/hostshm/rails.h"
#include "core/hostshm/rings.h"
#include "core/hostshm/shared_mapping.h"
#include "job/job.h"

namespace gasnet::hostshm {

class EndpointRings final : public RailSource {
 public:
  // rings: the rings of the pair (0, 0); must outlive this object.
  EndpointRings(job::Job& job, const Rings& rings) : job_(job), rings_(rings) {}

  // Sets the end of the segments of endpoints 0. Must be called first.
  void Begin(uint64_t segments_end) {
    const absl::MutexLock lock(&mutex_);
    begin_ = segments_end;
  }
  // Returns true if memory for rails is available while a job runs. Returns
  // false if the address space is limited, or if the memory is in a file
  // system: there the segments need the room.
  bool MayHaveRails() const;
  // Returns the offset in the host memory behind all pairs and rails.
  uint64_t end() const;

  // Implements RailSource.
  absl::StatusOr<unsigned char*> RailMemory(unsigned rail) override;

  // Returns the memory of a link from endpoint `own` of this rank to endpoints
  // `partner` of the other ranks. Any thread. A pair stays mapped as long as
  // this object lives.
  absl::StatusOr<HostMemory> LinkMemory(EndpointIndex own,
                                        EndpointIndex partner);

 private:
  absl::StatusOr<unsigned char*> MapPair(EndpointIndex from, EndpointIndex to)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Maps the rings of one place; places are counted from 0 behind the segments.
  absl::StatusOr<unsigned char*> Map(unsigned place, const std::string& what)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  uint64_t PlaceBytes() const;

  job::Job& job_;
  const Rings& rings_;
  mutable absl::Mutex mutex_;
  uint64_t begin_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<unsigned, SharedMapping> mapped_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_ENDPOINT_RINGS_H_
