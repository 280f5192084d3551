// The end of a process that fails, beyond its message:
//
//   GASNET_FREEZE_ON_ERROR  it stops and waits for a debugger
//   GASNET_BACKTRACE        it prints the stack of the failing thread
//   GASNET_CORE_SEGMENT     its core dump has the used pages of its segment
//                           (base/core_dump.h); on by default if the limit on
//                           cores (ulimit -c) is not 0
//
// These happen on a fatal error (base/log.h). They also happen on SIGSEGV,
// SIGBUS, SIGFPE, SIGILL and SIGABRT, through signal handlers that are
// installed only if one of the three is set. The handlers end by the default
// action of the signal, so the exit status is the same as without them. If only
// GASNET_CORE_SEGMENT is on, no handler that others have set is replaced, and
// nothing is printed. When several threads fail at once, the first one reports
// and the others wait for the end.
#ifndef BASE_FAILURE_H_
#define BASE_FAILURE_H_

#include <cstddef>

namespace gasnet {

// Reads the settings and installs all of the above. Called by the thread that
// starts the rank; stack overflows of that thread are reported too.
void InitFailureHandling();
// Undoes InitFailureHandling. Only on the same thread does it take that
// thread's crash stack back. Signals get their former handlers again, except
// those that the client has set since.
void EndFailureHandling();

// The stack on which a thread reports that its own has overflown. If crashes
// are reported, the first thread that has one allocates its memory, which is
// kept for the next thread.
class CrashStack {
 public:
  // Gives the calling thread, which has no other, this stack. Without memory it
  // has none.
  void Begin();
  // Takes the stack back. Called by the same thread, before it ends.
  void End();

 private:
  std::byte* memory_ = nullptr;
};

// Stops this process until a debugger sets `gasnet_frozen` to 0, after one line
// on stderr that says how. Async-signal-safe.
void FreezeForDebugger();
// The same with another flag, a variable of this name.
void FreezeForDebugger(volatile int& flag, const char* name);

// Prints the stack of this thread on stderr. Async-signal-safe after the first
// call.
void PrintBacktrace();

// Makes `print` print the stack from here on, to the descriptor it is given. If
// it returns other than 0, we print as before.
void SetBacktracePrinter(int (*print)(int fd));

}  // namespace gasnet

#endif  // BASE_FAILURE_H_
