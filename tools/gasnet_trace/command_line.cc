#include "tools/gasnet_trace/command_line.h"

#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace gasnet::trace {
namespace {

using Task = TraceCommandLine::Task;

struct CommandLineFlag {
  std::string_view short_name;
  std::string_view long_name;
  Task task;
};

constexpr CommandLineFlag kFlags[] = {
    {"", "--summary", Task::kSummary}, {"", "--text", Task::kText},
    {"", "--chrome", Task::kChrome},   {"-h", "--help", Task::kHelp},
    {"", "--version", Task::kVersion},
};

const CommandLineFlag* FindFlag(std::string_view argument) {
  for (const CommandLineFlag& flag : kFlags) {
    if (argument == flag.long_name || argument == flag.short_name) return &flag;
  }
  return nullptr;
}

absl::Status SetOutput(TraceCommandLine& line, std::string_view value) {
  if (value.empty()) {
    return absl::InvalidArgumentError("-o is ''; accepted: the name of a file");
  }
  line.output = value;
  return absl::OkStatus();
}

// Processes one option and its value. The value may be the next argument.
absl::Status TakeOption(const std::vector<std::string>& arguments, size_t& next,
                        TraceCommandLine& line) {
  constexpr std::string_view kOutput = "--output=";
  const std::string& argument = arguments[next++];
  if (const CommandLineFlag* const flag = FindFlag(argument)) {
    line.task = flag->task;
    return absl::OkStatus();
  }
  if (argument == "-o" || argument == "--output") {
    if (next == arguments.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat(argument, " needs a value"));
    }
    return SetOutput(line, arguments[next++]);
  }
  if (absl::StartsWith(argument, kOutput)) {
    return SetOutput(line, argument.substr(kOutput.size()));
  }
  if (absl::StartsWith(argument, "-o")) {
    return SetOutput(line, argument.substr(2));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown option '", argument,
                   "'; accepted: --summary, --text, --chrome, -o, --help, "
                   "--version"));
}

}  // namespace

absl::StatusOr<TraceCommandLine> ParseCommandLine(
    const std::vector<std::string>& arguments) {
  TraceCommandLine line;
  bool are_options = true;
  for (size_t next = 0; next < arguments.size();) {
    const std::string& argument = arguments[next];
    if (!are_options || argument.size() < 2 || argument[0] != '-') {
      line.files.push_back(argument);
      ++next;
    } else if (argument == "--") {
      are_options = false;
      ++next;
    } else {
      const absl::Status status = TakeOption(arguments, next, line);
      if (!status.ok()) return status;
    }
  }
  const bool needs_files =
      line.task != Task::kHelp && line.task != Task::kVersion;
  if (needs_files && line.files.empty()) {
    return absl::InvalidArgumentError(
        "the names of the trace files are missing");
  }
  return line;
}

const char kHelpText[] =
    R"(Usage: gasnet_trace [--summary | --text | --chrome] [-o FILE] TRACE...

Reads the trace files that the ranks of one GASNet job have written
(GASNET_TRACEFILE), and reports what the ranks did. Files of ranks that still
run, or have crashed, are read as far as they go.

      --summary      times of calls, waits, handlers, native transfers and
                     source lines over all ranks, and calls that have not
                     ended (the default)
      --text         one line for each event, in the order of time
      --chrome       JSON for https://ui.perfetto.dev and chrome://tracing:
                     ranks, threads, calls, waits, and messages as arrows
  -o, --output FILE  write there instead of standard output
  -h, --help         this text
      --version      the version
  --                 end of the options

Exit code: 0, or
  1    a file could not be read or written; others are reported all the same
  2    gasnet_trace was called wrongly
)";

}  // namespace gasnet::trace
