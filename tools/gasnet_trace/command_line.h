// The command line of gasnet_trace.
#ifndef TOOLS_GASNET_TRACE_COMMAND_LINE_H_
#define TOOLS_GASNET_TRACE_COMMAND_LINE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace gasnet::trace {

struct TraceCommandLine {
  enum class Task { kSummary, kText, kChrome, kHelp, kVersion };

  Task task = Task::kSummary;
  std::string output;  // The output file. Empty means standard output.
  std::vector<std::string> files;
};

// Parses `arguments`, without argv[0]. Options may come anywhere before "--".
absl::StatusOr<TraceCommandLine> ParseCommandLine(
    const std::vector<std::string>& arguments);

extern const char kHelpText[];

}  // namespace gasnet::trace

#endif  // TOOLS_GASNET_TRACE_COMMAND_LINE_H_
