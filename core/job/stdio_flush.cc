#include "core/job/stdio_flush.h"

#include <stdio.h>
#include <time.h>

#include "base/clock.h"

namespace gasnet::job {
namespace {

// A thread that prints lets go of its stream between two calls.
constexpr int kAttempts = 100;
constexpr int64_t kPauseNanos = kNanosPerMilli;

bool Lock(FILE* stream, int attempts) {
  const timespec pause = ToTimespec(kPauseNanos);
  for (; attempts > 0; --attempts) {
    if (ftrylockfile(stream) == 0) return true;
    nanosleep(&pause, nullptr);
  }
  return false;
}

}  // namespace

void FlushStdioBeforeEnd() {
  const bool has_stdout = Lock(stdout, kAttempts);
  const bool has_stderr = Lock(stderr, kAttempts);
  if (has_stdout) fflush_unlocked(stdout);
  if (has_stderr) fflush_unlocked(stderr);
  if (has_stdout && has_stderr && Lock(stdin, 1)) fflush(nullptr);
}

}  // namespace gasnet::job
