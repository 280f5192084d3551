#include "core/hostshm/wake_socket.h"

#include <errno.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <atomic>
#include <cstddef>
#include <cstring>

#include "base/cancellation.h"
#include "base/log.h"

namespace gasnet::hostshm {
namespace {

// The socket from which Wake sends: the newest of this process, or -1.
std::atomic<int> sender{-1};

struct WakeSocketAddress {
  sockaddr_un address = {};
  socklen_t size = 0;
};

WakeSocketAddress AddressOf(const WakeName& name) {
  // a name in the abstract namespace
  constexpr char kPrefix[] = "\0gasnet-wake-";
  WakeSocketAddress of;
  of.address.sun_family = AF_UNIX;
  char* const path = of.address.sun_path;
  std::memcpy(path, kPrefix, sizeof kPrefix - 1);
  std::memcpy(path + sizeof kPrefix - 1, name.data(), sizeof name);
  of.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) +
                                   sizeof kPrefix - 1 + sizeof name);
  return of;
}

}  // namespace

absl::Status WakeSocket::Open() {
  if (getrandom(name_.data(), sizeof name_, 0) != sizeof name_) {
    return absl::ErrnoToStatus(errno, "reading random bytes");
  }
  socket_.Reset(socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket_.valid())
    return absl::ErrnoToStatus(errno, "opening a unix socket");
  const WakeSocketAddress mine = AddressOf(name_);
  if (bind(socket_.get(), reinterpret_cast<const sockaddr*>(&mine.address),
           mine.size) != 0) {
    return absl::ErrnoToStatus(errno, "naming a unix socket");
  }
  sender.store(socket_.get(), std::memory_order_release);
  return absl::OkStatus();
}

WakeSocket::~WakeSocket() {
  int mine = socket_.get();
  sender.compare_exchange_strong(mine, -1);
}

void WakeSocket::Drain() {
  char ignored;
  const NoCancellation whole;
  while (recv(socket_.get(), &ignored, sizeof ignored, MSG_DONTWAIT) >= 0) {
  }
}

// Ignores failures: a rank with a full queue is awake, and an ended rank need
// not be woken.
void WakeSocket::Wake(const WakeName& name) {
  const int fd = sender.load(std::memory_order_acquire);
  if (fd < 0) return;
  const WakeSocketAddress to = AddressOf(name);
  const NoCancellation whole;
  const ssize_t sent =
      sendto(fd, "", 0, MSG_DONTWAIT | MSG_NOSIGNAL,
             reinterpret_cast<const sockaddr*>(&to.address), to.size);
  if (sent < 0 && (errno == EBADF || errno == ENOTSOCK)) {
    Fatal(
        "this program has closed descriptor %d, the socket by which GASNet "
        "wakes ranks of this host; it may close only those that it has opened",
        fd);
  }
}

}  // namespace gasnet::hostshm
