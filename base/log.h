// Messages to the user, on stderr: one line each, in one write, so that the
// lines of several processes do not mix.
//
// Fatal ends the process: the message, then what SetFatalHook installed
// (base/failure.h: freeze, backtrace), then abort(). All may be called on any
// thread; none allocates.
#ifndef BASE_LOG_H_
#define BASE_LOG_H_

#include <cstddef>
#include <cstdint>

namespace gasnet {

// `*** GASNet FATAL ERROR (rank R, HOST, pid P): message`, then the end.
[[noreturn]] void Fatal(const char* format, ...)
    __attribute__((format(printf, 1, 2)));

// `*** GASNet WARNING (rank R, HOST, pid P): message`.
void Warn(const char* format, ...) __attribute__((format(printf, 1, 2)));

// `*** GASNet (rank R, HOST, pid P): message`: a report that somebody asked
// for.
void Inform(const char* format, ...) __attribute__((format(printf, 1, 2)));

// From here on the messages name this rank. Before, they leave it out.
void SetLogIdentity(uint32_t rank, uint32_t size);
// From here on they leave it out again.
void ForgetLogIdentity();

// True while rank 0 is named: where news of the whole job is printed
// once.
bool IsLogRankZero();

// "rank R, HOST, pid P" (or "HOST, pid P"), cut to `size`. Async-signal-safe
// once one message or SetLogIdentity has been called.
void FormatLogIdentity(char* out, size_t size);

// Fatal calls the hook between its message and abort().
void SetFatalHook(void (*hook)());

// For programs that are no rank (the launcher): Fatal ends with _exit(code)
// in place of abort().
void SetFatalExitCode(int code);

}  // namespace gasnet

#endif  // BASE_LOG_H_
