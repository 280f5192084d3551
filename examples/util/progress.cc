#include "examples/util/progress.h"

#include <gasnet.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "examples/util/job.h"

namespace example {
namespace {

constexpr double kFirstAfter = 1.0;  // in seconds; shorter jobs print no line
constexpr double kTerminalEvery = 0.2;
constexpr double kElsewhereEvery = 5.0;

// Returns true if stderr ends at a terminal. Under a launcher, stderr is a pipe
// to the launcher. The launcher sets a variable if its own stderr is a
// terminal.
bool EndsAtTerminal() {
  return isatty(STDERR_FILENO) ||
         gasnet_getenv("GASNETRUN_STDERR_TTY") != nullptr;
}

}  // namespace

ProgressMeter::ProgressMeter(std::string label, uint64_t total)
    : label_(std::move(label)),
      total_(total),
      terminal_(EndsAtTerminal()),
      start_(Now()),
      next_(start_ + kFirstAfter) {}

void ProgressMeter::Update(uint64_t done) {
  if (!IsRoot()) return;
  const double now = Now();
  if (now < next_) return;
  next_ = now + (terminal_ ? kTerminalEvery : kElsewhereEvery);
  shown_ = true;
  const double bytes = static_cast<double>(done);
  const double percent =
      std::min(100.0, 100 * bytes / static_cast<double>(total_));
  // On a terminal each text ends with a carriage return: launchers pass on only
  // whole lines, or text that ends with a carriage return.
  std::fprintf(stderr, "%s %3.0f%%, %.0f MB/s%s", label_.c_str(), percent,
               bytes / (now - start_) / 1e6, terminal_ ? "\033[K\r" : "\n");
  std::fflush(stderr);
}

// Clears the line on the terminal for the next output.
ProgressMeter::~ProgressMeter() {
  if (shown_ && terminal_) std::fprintf(stderr, "\033[K\r");
}

}  // namespace example
