#include "job/shared_failure.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/strings.h"
#include "job/gather.h"

namespace gasnet::job {

Status ReportOnce(Job& job, const char* call, const Status& why) {
  return ReportFirst(job, call, 0, why, "");
}

Status ReportFirst(Job& job, const char* call, uint32_t first,
                   const Status& mine, std::string_view what) {
  if (job.rank() == first) {
    Warn("%s: %s", call, std::string(mine.message()).c_str());
  }
  // If it fails, the job is about to end.
  job.Barrier().IgnoreError();
  return AbortedError(mine.ok() ? StrCat("rank ", first, " ", what)
                                : mine.message());
}

Status ShareOutcome(Job& job, const char* call, const Status& mine,
                    std::string_view what) {
  const std::vector<uint8_t> all = Gather<uint8_t>(job, mine.ok());
  const auto failed = std::find(all.begin(), all.end(), 0);
  if (failed == all.end()) return OkStatus();
  return ReportFirst(job, call, static_cast<uint32_t>(failed - all.begin()),
                     mine, what);
}

}  // namespace gasnet::job
