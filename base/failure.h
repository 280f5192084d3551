// Options for a process that fails, in addition to its message:
//
//     GASNET_FREEZE_ON_ERROR  it stops and waits for a debugger
//     GASNET_BACKTRACE        it prints the stack of the failing thread
//     GASNET_CORE_SEGMENT     its core dump has the used pages of its
//                             segment (base/core_dump.h); on by default if
//                             the limit on cores (ulimit -c) is not 0
//
// The options apply to a fatal error (base/log.h), and to SIGSEGV, SIGBUS,
// SIGFPE, SIGILL and SIGABRT. Signal handlers are installed only if one of the
// three is set. The handlers end with the signal's default action, so the exit
// status is the same as without handlers. If only GASNET_CORE_SEGMENT is on,
// handlers that others have set stay, and nothing is printed. When several
// threads fail at once, the first one reports and the others wait until the
// process ends.
#ifndef BASE_FAILURE_H_
#define BASE_FAILURE_H_

#include <cstddef>

namespace gasnet {

// Reads the settings above and sets up what they ask for. Called by the thread
// that starts the rank. Stack overflows of that thread are reported too.
void InitFailureHandling();
// Undoes InitFailureHandling. Removes the crash stack only on the thread that
// called InitFailureHandling. Signals get their former handlers again, except
// those that the client has set since.
void EndFailureHandling();

// The alternate signal stack on which a thread reports an overflow of its own
// stack. Its memory is allocated only if crashes are reported. The first thread
// that uses this object allocates the memory. It is kept for the next thread.
class CrashStack {
 public:
  // Makes this the alternate signal stack of the calling thread. The thread
  // must have no other alternate stack. If memory cannot be allocated, has no
  // effect.
  void Begin();
  // Takes the stack back. Called by the thread that called Begin, before it
  // ends.
  void End();

 private:
  std::byte* memory_ = nullptr;
};

// Prints one line on stderr with instructions, then stops this process until a
// debugger sets `gasnet_frozen` to 0. Async-signal-safe.
void FreezeForDebugger();
// Like FreezeForDebugger(), but the debugger sets `flag`, a variable whose name
// is `name`.
void FreezeForDebugger(volatile int& flag, const char* name);

// Prints the stack of this thread on stderr. Async-signal-safe after the first
// call.
void PrintBacktrace();

// Makes GASNet call `print` from then on whenever it prints a stack. `print`
// writes the stack to the descriptor `fd`. If `print` returns other than 0,
// GASNet prints the stack itself.
void SetBacktracePrinter(int (*print)(int fd));

}  // namespace gasnet

#endif  // BASE_FAILURE_H_
