#include "job/shared_failure.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/log.h"
#include "job/gather.h"

namespace gasnet::job {

absl::Status ReportOnce(Job& job, const char* call, const absl::Status& why) {
  return ReportFirst(job, call, 0, why, "");
}

absl::Status ReportFirst(Job& job, const char* call, uint32_t first,
                         const absl::Status& mine, std::string_view what) {
  if (job.rank() == first) {
    Warn("%s: %s", call, std::string(mine.message()).c_str());
  }
  // Ignores a failed barrier: the job is then about to end.
  job.Barrier().IgnoreError();
  return absl::AbortedError(mine.ok() ? absl::StrCat("rank ", first, " ", what)
                                      : mine.message());
}

absl::Status ShareOutcome(Job& job, const char* call, const absl::Status& mine,
                          std::string_view what) {
  const std::vector<uint8_t> all = Gather<uint8_t>(job, mine.ok());
  const auto failed = std::find(all.begin(), all.end(), 0);
  if (failed == all.end()) return absl::OkStatus();
  return ReportFirst(job, call, static_cast<uint32_t>(failed - all.begin()),
                     mine, what);
}

}  // namespace gasnet::job
