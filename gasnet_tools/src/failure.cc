#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/failure.h"
#include "base/log.h"
#include "gasnet_tools/environment.h"
#include "gasnet_tools/src/client.h"
#include "gasnet_tools/src/export.h"
#include "gasnet_tools/system.h"

GASNETTI_EXPORT gasnett_sighandlerfn_t
gasnett_reghandler(int signal_number, gasnett_sighandlerfn_t handler) {
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  if (sigaction(signal_number, &action, &before) != 0) {
    gasnet::Fatal("gasnett_reghandler: no handler for signal %d: %s",
                  signal_number, strerror(errno));
  }
  return before.sa_handler;
}

GASNETTI_EXPORT void gasnett_flush_streams() {
  fflush(stdout);
  fflush(stderr);
}

GASNETTI_EXPORT void gasnett_close_streams() {
  gasnett_flush_streams();
  fclose(stdin);
  fclose(stdout);
  fclose(stderr);
}

GASNETTI_EXPORT void gasnett_killmyprocess(int exit_code) { _exit(exit_code); }

namespace {
[[noreturn]] void FailWith(const char* format, va_list args) {
  gasnet::tools::EnsureFailureHandling();
  char message[4096];
  vsnprintf(message, sizeof message, format, args);
  gasnet::Fatal("%s", message);
}
}  // namespace

GASNETTI_EXPORT void gasnett_fatalerror(const char* format, ...) {
  va_list args;
  va_start(args, format);
  FailWith(format, args);
}
GASNETTI_EXPORT void gasnett_fatalerror_nopos(const char* format, ...) {
  va_list args;
  va_start(args, format);
  FailWith(format, args);
}

GASNETTI_EXPORT void gasnett_freezeForDebuggerNow(volatile int* flag,
                                                  const char* flagsymname) {
  gasnet::FreezeForDebugger(*flag, flagsymname);
}
GASNETTI_EXPORT void gasnett_freezeForDebuggerErr() {
  if (gasnett_getenv_yesno_withdefault("GASNET_FREEZE_ON_ERROR", 0) != 0) {
    gasnet::FreezeForDebugger();
  }
}

GASNETTI_EXPORT char* gasnetti_location(const char* function, const char* file,
                                        int line) {
  char* text = nullptr;
  if (asprintf(&text, "%s() at %s:%d", function, file, line) < 0) {
    gasnet::Fatal("gasnett_current_loc: no memory");
  }
  return text;
}
