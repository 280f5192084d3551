#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>

#include "base/syscall.h"

namespace gasnet {
namespace {

// The size of PIPE_BUF. The kernel does not split a write of this size.
constexpr size_t kLineBytes = 4096;
constexpr int kNoExitCode = -1;
constexpr int64_t kNoRank = -1;

std::atomic<int64_t> log_rank{kNoRank};
std::atomic<void (*)()> fatal_hook{nullptr};
std::atomic<int> fatal_exit_code{kNoExitCode};

const char* HostName() {
  static char name[256];
  static const bool known = gethostname(name, sizeof name - 1) == 0;
  return known ? name : "unknown host";
}

// The kinds of message, printed before the parenthesis.
constexpr const char* kFatal = " FATAL ERROR";
constexpr const char* kWarning = " WARNING";
constexpr const char* kInformation = "";

// Ends a line. "..." at the end of a line shows that the line is truncated.
void EndLine(char* line, size_t length) {
  if (length > kLineBytes - 2) {
    length = kLineBytes - 2;
    memcpy(line + length - 3, "...", 3);
  }
  line[length] = '\n';
  line[length + 1] = '\0';
}

void WriteLine(const char* kind, const char* format, va_list args) {
  char who[320];
  FormatLogIdentity(who, sizeof who);
  char line[kLineBytes];
  size_t length = snprintf(line, sizeof line, "*** GASNet%s (%s): ", kind, who);
  length += vsnprintf(line + length, sizeof line - length, format, args);
  EndLine(line, length);
  WriteFull(STDERR_FILENO, line, strlen(line));
}

}  // namespace

void FormatLogIdentity(char* out, size_t size) {
  const int64_t rank = log_rank.load(std::memory_order_relaxed);
  if (rank == kNoRank) {
    snprintf(out, size, "%s, pid %d", HostName(), getpid());
  } else {
    snprintf(out, size, "rank %lld, %s, pid %d", static_cast<long long>(rank),
             HostName(), getpid());
  }
}

void SetLogIdentity(uint32_t rank, uint32_t size) {
  HostName();
  log_rank.store(rank < size ? rank : kNoRank, std::memory_order_relaxed);
}

void ForgetLogIdentity() { log_rank.store(kNoRank, std::memory_order_relaxed); }

bool IsLogRankZero() { return log_rank.load(std::memory_order_relaxed) == 0; }

void SetFatalHook(void (*hook)()) { fatal_hook.store(hook); }

void SetFatalExitCode(int code) { fatal_exit_code.store(code); }

void Fatal(const char* format, ...) {
  va_list args;
  va_start(args, format);
  WriteLine(kFatal, format, args);
  va_end(args);
  if (void (*hook)() = fatal_hook.load()) hook();
  if (fatal_exit_code != kNoExitCode) _exit(fatal_exit_code);
  abort();
}

void Warn(const char* format, ...) {
  va_list args;
  va_start(args, format);
  WriteLine(kWarning, format, args);
  va_end(args);
}

void Inform(const char* format, ...) {
  va_list args;
  va_start(args, format);
  WriteLine(kInformation, format, args);
  va_end(args);
}

}  // namespace gasnet
