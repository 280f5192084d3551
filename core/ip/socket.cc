#include "core/ip/socket.h"

#include <errno.h>
#include <sys/socket.h>

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/ip/tuning.h"

namespace gasnet::ip {
namespace {

// Sets the largest buffer that the system permits. Root may exceed the limit
// for other users.
void Enlarge(int fd, int forced, int plain) {
  const int bytes = kSocketBuffer;
  if (setsockopt(fd, SOL_SOCKET, forced, &bytes, sizeof bytes) != 0) {
    setsockopt(fd, SOL_SOCKET, plain, &bytes, sizeof bytes);
  }
}

}  // namespace

absl::StatusOr<UniqueFd> OpenUdpSocket(Address& address) {
  UniqueFd fd(socket(address.family(),
                     SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_UDP));
  if (!fd.valid()) return absl::ErrnoToStatus(errno, "opening a UDP socket");
  socklen_t size = address.size();
  if (bind(fd.get(), address.get(), size) != 0 ||
      getsockname(fd.get(), address.get(), &size) != 0) {
    return absl::ErrnoToStatus(
        errno, absl::StrCat("binding a UDP socket to ", address.ToString()));
  }
  Enlarge(fd.get(), SO_RCVBUFFORCE, SO_RCVBUF);
  Enlarge(fd.get(), SO_SNDBUFFORCE, SO_SNDBUF);
  return fd;
}

size_t ReceiveBuffer(int fd) {
  int bytes = 0;
  socklen_t size = sizeof bytes;
  getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, &size);
  return static_cast<size_t>(std::max(bytes, 0));
}

}  // namespace gasnet::ip
