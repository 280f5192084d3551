// For tests: a job that consists of this process alone. The job lives as long
// as the process.
#ifndef JOB_TESTING_JOB_ALONE_H_
#define JOB_TESTING_JOB_ALONE_H_

#include "absl/status/statusor.h"
#include "job/job.h"

namespace gasnet::job {

inline Job& JobAlone() {
  static const absl::StatusOr<Job*> job = [] {
    int argc = 0;
    char** argv = nullptr;
    return Job::Start(&argc, &argv, "test");
  }();
  return **job;
}

}  // namespace gasnet::job

#endif  // JOB_TESTING_JOB_ALONE_H_
