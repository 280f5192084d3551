// libFuzzer: opens arbitrary bytes as a trace file. If the file is accepted,
// its reports must work. The bytes choose one report; making all would take too
// long.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/syscall.h"
#include "base/unique_fd.h"
#include "tools/gasnet_trace/chrome.h"
#include "tools/gasnet_trace/event_lines.h"
#include "tools/gasnet_trace/job_trace.h"
#include "tools/gasnet_trace/output.h"
#include "tools/gasnet_trace/rank_trace.h"
#include "tools/gasnet_trace/summary.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace gasnet::trace;
  const gasnet::UniqueFd file(memfd_create("trace", MFD_CLOEXEC));
  if (!gasnet::WriteFull(file.get(), data, size)) abort();
  absl::StatusOr<RankTrace> rank =
      RankTrace::Open(absl::StrCat("/proc/self/fd/", file.get()));
  if (!rank.ok()) return 0;
  JobTrace job;
  if (!job.Add(*std::move(rank)).ok()) abort();
  job.Align();
  static FILE* const nowhere = fopen("/dev/null", "w");
  TextWriter out(nowhere);
  constexpr unsigned kReports = 3;
  switch (std::accumulate(data, data + size, 0u) % kReports) {
    case 0:
      WriteSummary(job, out);
      break;
    case 1:
      WriteEventLines(job, out);
      break;
    default:
      WriteChrome(job, out);
      break;
  }
  if (out.Finish() != 0) abort();
  return 0;
}
