#include "base/syscall.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cancellation.h"

namespace gasnet {
namespace {

// Moves `size` bytes by repeated calls of `step(done)`. `done` is the number of
// bytes moved so far. Returns the total, or -1 on an error.
template <typename Step>
ssize_t Repeat(size_t size, Step step) {
  const NoCancellation whole;
  size_t done = 0;
  while (done < size) {
    const ssize_t moved = RetryOnEintr([&] { return step(done); });
    if (moved < 0) return -1;
    if (moved == 0) break;
    done += moved;
  }
  return done;
}

ssize_t WriteSome(int fd, const void* data, size_t size) {
  const ssize_t sent = send(fd, data, size, MSG_NOSIGNAL);
  return sent < 0 && errno == ENOTSOCK ? write(fd, data, size) : sent;
}

bool SetFlag(int fd, int get, int set, int flag, bool on) {
  const int flags = fcntl(fd, get);
  if (flags < 0) return false;
  return fcntl(fd, set, on ? flags | flag : flags & ~flag) == 0;
}

}  // namespace

ssize_t ReadFull(int fd, void* data, size_t size) {
  return Repeat(size, [&](size_t done) {
    return read(fd, static_cast<char*>(data) + done, size - done);
  });
}

ssize_t PreadFull(int fd, void* data, size_t size, off_t offset) {
  return Repeat(size, [&](size_t done) {
    return pread(fd, static_cast<char*>(data) + done, size - done,
                 offset + static_cast<off_t>(done));
  });
}

bool WriteFull(int fd, const void* data, size_t size) {
  return Repeat(size, [&](size_t done) {
           return WriteSome(fd, static_cast<const char*>(data) + done,
                            size - done);
         }) == static_cast<ssize_t>(size);
}

bool SetNonBlocking(int fd) {
  return SetFlag(fd, F_GETFL, F_SETFL, O_NONBLOCK, true);
}

bool SetCloseOnExec(int fd, bool on) {
  return SetFlag(fd, F_GETFD, F_SETFD, FD_CLOEXEC, on);
}

}  // namespace gasnet
