#include "core/job/shared_failure.h"

#include <string>

#include "base/log.h"

namespace gasnet::job {

Status Tell(const char* call, const Status& why) {
  Warn("%s: %s", call, std::string(why.message()).c_str());
  return AbortedError(why.message());
}

Status TellOnce(Job& job, const char* call, const Status& why) {
  if (job.rank() == 0) Tell(call, why).IgnoreError();
  // If it fails, the job is about to end.
  job.Barrier().IgnoreError();
  return AbortedError(why.message());
}

}  // namespace gasnet::job
