#include "tools/gasnetrun/statistics_report.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/syscall.h"
#include "base/unique_fd.h"
#include "job/statistics/json.h"
#include "job/statistics/picture.h"
#include "job/statistics/table.h"

namespace gasnet::gasnetrun {
namespace {

// Writes a file. O_NONBLOCK: if the file is a pipe, open must not wait for a
// reader, because signals that end this process are blocked here.
absl::Status WriteFile(const std::string& path, const std::string& text) {
  constexpr mode_t kForAll = 0666;  // the umask removes bits
  const UniqueFd file(RetryOnEintr([&] {
    return open(path.c_str(),
                O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, kForAll);
  }));
  if (file.valid() && WriteFull(file.get(), text.data(), text.size())) {
    return absl::OkStatus();
  }
  return absl::ErrnoToStatus(
      errno, absl::StrCat("--stats: cannot write '", path, "'"));
}

}  // namespace

decltype(job::JobPlan::describe_statistics) StatisticsReport(
    const std::string& file) {
  using How = job::JobPlan::Describe;
  return [file](const job::JobSummary& summary, How how) {
    if (how == How::kSoFarAsJson) return job::StatisticsJson(summary);
    std::string text = job::StatisticsTable(summary);
    if (how == How::kSoFar || file.empty()) return text;
    const absl::Status written = WriteFile(file, job::StatisticsSvg(summary));
    if (written.ok()) return text;
    return absl::StrCat(
        text, "gasnetrun: error: ", std::string(written.message()), "\n");
  };
}

}  // namespace gasnet::gasnetrun
