// A failure of gasnet_init or gasnet_attach that all ranks share, whichever of
// them it is of. It is told once, and before the others hear of it: the first
// that ends because of it may end the job. From then on its status is kAborted,
// and nobody tells it again.
#ifndef CORE_JOB_SHARED_FAILURE_H_
#define CORE_JOB_SHARED_FAILURE_H_

#include "base/status.h"
#include "core/job/job.h"

namespace gasnet::job {

// By the one rank that knows why, before it tells the others that it failed.
Status Tell(const char* call, const Status& why);

// Collective: all ranks know the same. Rank 0 tells.
Status TellOnce(Job& job, const char* call, const Status& why);

}  // namespace gasnet::job

#endif  // CORE_JOB_SHARED_FAILURE_H_
