#include "bench/limits/socket_pair.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace gasnet::bench {
namespace {

[[noreturn]] void Die(const char* what) {
  perror(what);
  exit(1);
}

int Open(sockaddr_in& address) {
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(fd, generic, size) != 0) Die("bind");
  if (getsockname(fd, generic, &size) != 0) Die("getsockname");
  const int bytes = 4 << 20;
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
  return fd;
}

}  // namespace

SocketPair::SocketPair() {
  sockaddr_in addresses[2];
  for (int i = 0; i < 2; ++i) fds_[i] = Open(addresses[i]);
  for (int i = 0; i < 2; ++i) {
    const auto* const peer =
        reinterpret_cast<const sockaddr*>(&addresses[1 - i]);
    if (connect(fds_[i], peer, sizeof(sockaddr_in)) != 0) Die("connect");
  }
}

SocketPair::~SocketPair() {
  for (const int fd : fds_) close(fd);
}

}  // namespace gasnet::bench
