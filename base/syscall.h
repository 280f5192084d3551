// System calls with the usual loops: interrupted calls are repeated and short
// transfers continued. All functions are async-signal-safe, and none is a
// cancellation point.
#ifndef BASE_SYSCALL_H_
#define BASE_SYSCALL_H_

#include <errno.h>
#include <sys/types.h>

#include <cstddef>

namespace gasnet {

// Repeats `call` while it fails with EINTR.
template <typename Call>
auto RetryOnEintr(Call call) {
  decltype(call()) result;
  do {
    result = call();
  } while (result == -1 && errno == EINTR);
  return result;
}

// Reads until `size` bytes are read or the stream ends. Returns the number of
// bytes read (less than `size` only at the end), or -1 with errno. Meant for
// blocking descriptors.
ssize_t ReadFull(int fd, void* data, size_t size);

// Like ReadFull, but reads from `offset` of a file and leaves the file position
// alone.
ssize_t PreadFull(int fd, void* data, size_t size, off_t offset);

// Writes all `size` bytes. Returns false, with errno, on failure. Raises no
// SIGPIPE on a socket. Meant for blocking descriptors.
bool WriteFull(int fd, const void* data, size_t size);

bool SetNonBlocking(int fd);
bool SetCloseOnExec(int fd, bool on);

}  // namespace gasnet

#endif  // BASE_SYSCALL_H_
