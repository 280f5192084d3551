// gasnet_trace: reads the trace files of a job.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tools/gasnet_trace/chrome.h"
#include "tools/gasnet_trace/command_line.h"
#include "tools/gasnet_trace/event_lines.h"
#include "tools/gasnet_trace/job_trace.h"
#include "tools/gasnet_trace/output.h"
#include "tools/gasnet_trace/rank_trace.h"
#include "tools/gasnet_trace/summary.h"

namespace gasnet::trace {
namespace {

using Task = TraceCommandLine::Task;

constexpr int kFailed = 1;
constexpr int kMisused = 2;

int Complain(const absl::Status& status, int code) {
  fprintf(stderr, "gasnet_trace: error: %s\n",
          std::string(status.message()).c_str());
  return code;
}

// A job may have many ranks. So this raises the process's limit on open files
// as far as the system permits.
void RaiseFileLimit() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// Adds all good files, and reports the bad ones. Returns the exit code.
int Read(const std::vector<std::string>& files, JobTrace& job) {
  int code = 0;
  for (const std::string& file : files) {
    absl::StatusOr<RankTrace> rank = RankTrace::Open(file);
    const absl::Status status =
        rank.ok() ? job.Add(*std::move(rank)) : rank.status();
    if (!status.ok()) code = Complain(status, kFailed);
  }
  job.Align();
  return code;
}

void Write(Task task, const JobTrace& job, TextWriter& out) {
  switch (task) {
    case Task::kText:
      WriteEventLines(job, out);
      break;
    case Task::kChrome:
      WriteChrome(job, out);
      break;
    default:
      WriteSummary(job, out);
      break;
  }
}

// Writes the output of the task. Returns 0, or the error.
int WriteTo(FILE* stream, const TraceCommandLine& line, const JobTrace* job) {
  TextWriter out(stream);
  if (line.task == Task::kHelp) {
    out.Write(kHelpText);
  } else if (line.task == Task::kVersion) {
    out.Write("gasnet_trace (GASNet 1.8)\n");
  } else {
    Write(line.task, *job, out);
  }
  return out.Finish();
}

int Report(const TraceCommandLine& line, const JobTrace* job) {
  const bool is_named = !line.output.empty();
  FILE* const stream = is_named ? fopen(line.output.c_str(), "we") : stdout;
  int error = stream == nullptr ? errno : WriteTo(stream, line, job);
  if (is_named && stream != nullptr && fclose(stream) != 0 && error == 0) {
    error = errno;
  }
  if (error == 0) return 0;
  return Complain(
      absl::ErrnoToStatus(error, is_named ? absl::StrCat("'", line.output,
                                                         "' cannot be written")
                                          : "cannot write standard output"),
      kFailed);
}

int Main(const std::vector<std::string>& arguments) {
  const absl::StatusOr<TraceCommandLine> line = ParseCommandLine(arguments);
  if (!line.ok()) {
    Complain(line.status(), 0);
    fprintf(stderr, "Try 'gasnet_trace --help'.\n");
    return kMisused;
  }
  if (line->task == Task::kHelp || line->task == Task::kVersion) {
    return Report(*line, nullptr);
  }
  RaiseFileLimit();
  JobTrace job;
  const int code = Read(line->files, job);
  if (job.ranks().empty()) return code;
  return std::max(code, Report(*line, &job));
}

}  // namespace
}  // namespace gasnet::trace

int main(int argc, char** argv) {
  // Without the signal, output that is too long for a file is an ordinary
  // error.
  signal(SIGXFSZ, SIG_IGN);
  return gasnet::trace::Main(std::vector<std::string>(argv + 1, argv + argc));
}
