#include "job/stdio_flush.h"

#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "job/profiles.h"
#include "job/tuning.h"

namespace gasnet::job {
namespace {

bool Lock(FILE* stream, int attempts) {
  const timespec pause = ToTimespec(kStreamPauseNanos);
  for (; attempts > 0; --attempts) {
    if (ftrylockfile(stream) == 0) return true;
    nanosleep(&pause, nullptr);
  }
  return false;
}

int64_t limit_nanos = kDefaultFlushNanos;
volatile sig_atomic_t code_at_limit = 0;

// Limits the time of fflush(nullptr) by SIGALRM. fflush(nullptr) waits for the
// lock of every stream, and the streams cannot be listed and tried one by one.
void EndAtLimit(int code) {
  code_at_limit = code;
  struct sigaction action = {};
  action.sa_handler = [](int) { _exit(code_at_limit); };
  sigaction(SIGALRM, &action, nullptr);
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  const timespec limit = ToTimespec(std::max(limit_nanos, kStreamPauseNanos));
  const itimerval once = {{0, 0}, {limit.tv_sec, limit.tv_nsec / 1000}};
  setitimer(ITIMER_REAL, &once, nullptr);
}

}  // namespace

void SetFlushLimit(int64_t nanos) { limit_nanos = nanos; }

void FlushStdioBeforeEnd(int code) {
  const bool has_stdout = Lock(stdout, kStreamAttempts);
  if (has_stdout) fflush_unlocked(stdout);
  const bool has_stderr = Lock(stderr, kStreamAttempts);
  if (has_stderr) fflush_unlocked(stderr);
  if (!has_stdout || !has_stderr || !Lock(stdin, 1)) return;
  EndAtLimit(code);
  fflush(nullptr);
  WriteProfiles();
}

}  // namespace gasnet::job
