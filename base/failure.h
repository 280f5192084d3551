// The end of a process that fails, beyond its message:
//
//   GASNET_FREEZE_ON_ERROR  it stops and waits for a debugger
//   GASNET_BACKTRACE        it prints the stack of the failing thread
//   GASNET_CORE_SEGMENT     its core dump has what is in use of its segment
//                           (base/core_dump.h); on where the limit on cores
//                           (ulimit -c) is not 0
//
// on a fatal error (base/log.h) and, through signal handlers that are installed
// only when one of the three is set, on SIGSEGV, SIGBUS, SIGFPE, SIGILL and
// SIGABRT. The handlers end by the default action of the signal, so the exit
// status is the same as without them. For the sake of the core alone no handler
// of anybody else is replaced, and nothing printed. When several threads fail
// at once the first one reports and the others wait for the end.
#ifndef BASE_FAILURE_H_
#define BASE_FAILURE_H_

#include <cstddef>

namespace gasnet {

// Reads the settings and arranges all of the above. By the thread that starts
// the rank; that thread's stack overflows are reported too.
void InitFailureHandling();
// Undoes that, by the same thread where its stack is to be taken back: signals
// have the handlers again that they had, but for those that the client has set
// since.
void EndFailureHandling();

// The stack on which a thread reports that its own has overflown. Memory is
// taken for the first thread that has it, where crashes are reported, and kept
// for the next one.
class CrashStack {
 public:
  // For the calling thread, which has no other. Without memory it has none.
  void Begin();
  // By the same thread, before it ends.
  void End();

 private:
  std::byte* memory_ = nullptr;
};

// Stops this process until a debugger sets `gasnet_frozen` to 0, after one line
// on stderr that says how. Async-signal-safe.
void FreezeForDebugger();

// The stack of this thread on stderr. Async-signal-safe after the first call.
void PrintBacktrace();

// Has `print` print the stack from here on, to the descriptor it is given. If
// it answers other than 0 we print as before.
void SetBacktracePrinter(int (*print)(int fd));

}  // namespace gasnet

#endif  // BASE_FAILURE_H_
