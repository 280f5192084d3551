// Messages to the user on stderr. Each message is one line in one write, so
// that the lines of several processes do not mix.
//
// Fatal ends the process. It prints the message, calls the function that
// SetFatalHook installed (base/failure.h: freeze, backtrace), and then abort().
// Any thread may call these functions. None of them allocates memory.
#ifndef BASE_LOG_H_
#define BASE_LOG_H_

#include <cstddef>
#include <cstdint>

namespace gasnet {

// Prints `*** GASNet FATAL ERROR (rank R, HOST, pid P): message` and ends the
// process.
[[noreturn]] void Fatal(const char* format, ...)
    __attribute__((format(printf, 1, 2)));

// Prints `*** GASNet WARNING (rank R, HOST, pid P): message`.
void Warn(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Prints `*** GASNet (rank R, HOST, pid P): message`. Used for reports that the
// user has asked for.
void Inform(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Makes messages name this rank. Before this call, they leave the rank out.
void SetLogIdentity(uint32_t rank, uint32_t size);
// Makes messages leave the rank out again.
void ForgetLogIdentity();

// Returns true if messages name rank 0. Rank 0 alone prints messages that
// concern the whole job, so that they appear once.
bool IsLogRankZero();

// Writes "rank R, HOST, pid P" (or "HOST, pid P") to `out`, cut to `size`.
// Async-signal-safe after one message or one call of SetLogIdentity.
void FormatLogIdentity(char* out, size_t size);

// Makes Fatal call the hook between its message and abort().
void SetFatalHook(void (*hook)());

// Makes Fatal end with _exit(code) in place of abort(). Used by programs that
// are not ranks (the launcher).
void SetFatalExitCode(int code);

}  // namespace gasnet

#endif  // BASE_LOG_H_
