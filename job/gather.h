// A typed all-gather of one small value.
#ifndef JOB_GATHER_H_
#define JOB_GATHER_H_

#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/status/status.h"
#include "base/log.h"
#include "job/job.h"

namespace gasnet::job {

// Returns the values of all ranks, indexed by rank. Collective. If the job
// breaks during the call, this process ends.
template <class T>
std::vector<T> Gather(Job& job, const T& mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(job.size());
  const absl::Status status =
      job.AllGather(std::as_bytes(std::span(&mine, 1)),
                    std::as_writable_bytes(std::span(all)));
  if (!status.ok()) {
    Fatal("start-up exchange failed: %s",
          std::string(status.message()).c_str());
  }
  return all;
}

}  // namespace gasnet::job

#endif  // JOB_GATHER_H_
