#include "job/launch/line_splitter.h"

#include <utility>

#include "job/tuning.h"

namespace gasnet::job {

std::string LineSplitter::Take(std::string_view bytes) {
  if (options_.passes_partial) return std::string(bytes);
  std::string lines;
  const std::string_view ends = options_.ends_at_return ? "\r\n" : "\n";
  for (size_t end; (end = bytes.find_first_of(ends)) != bytes.npos;) {
    if (bytes.substr(end, 2) == "\r\n") ++end;
    lines += options_.tag;
    lines += std::exchange(partial_, {});
    lines += bytes.substr(0, end + 1);
    bytes.remove_prefix(end + 1);
  }
  partial_ += bytes;
  if (partial_.size() > kLongestLine) lines += Finish();
  return lines;
}

std::string LineSplitter::Pass() {
  return options_.tag + std::exchange(partial_, {});
}

std::string LineSplitter::Finish() { return HasPartial() ? Pass() + "\n" : ""; }

}  // namespace gasnet::job
