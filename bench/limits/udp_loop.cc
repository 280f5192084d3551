#include "bench/limits/udp_loop.h"

#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/clock.h"
#include "bench/limits/child.h"

namespace gasnet::bench {
namespace {

// There and back: the receiver takes one half in while the sender writes the
// other. One way: as much as fits into 64 KiB of the kernel's memory; smaller
// and larger pieces are slower.
constexpr size_t kPiece = 32 * 1024;
constexpr size_t kStreamPiece = 64000;
constexpr size_t kShort = 16;
// In flight at most, and told after a quarter of it.
constexpr size_t kWindow = 16;

alignas(64) char buffer[65536];

[[noreturn]] void Die(const char* what) {
  perror(what);
  exit(1);
}

// Two sockets connected to each other.
class Pair {
 public:
  Pair() {
    sockaddr_in addresses[2];
    for (int i = 0; i < 2; ++i) fds_[i] = Open(addresses[i]);
    for (int i = 0; i < 2; ++i) {
      const auto* const peer =
          reinterpret_cast<const sockaddr*>(&addresses[1 - i]);
      if (connect(fds_[i], peer, sizeof(sockaddr_in)) != 0) Die("connect");
    }
  }
  ~Pair() {
    for (const int fd : fds_) close(fd);
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  int operator[](int side) const { return fds_[side]; }

 private:
  static int Open(sockaddr_in& address) {
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

  int fds_[2];
};

void Send(int fd, size_t size) {
  while (send(fd, buffer, size, 0) < 0) {
  }
}

void SendAll(int fd, size_t size) {
  for (size_t sent = 0; sent < size; sent += kPiece) {
    Send(fd, std::min(kPiece, size - sent));
  }
}

size_t Receive(int fd) {
  ssize_t got;
  do {
    got = recv(fd, buffer, sizeof buffer, 0);
  } while (got < 0);
  return static_cast<size_t>(got);
}

void ReceiveAll(int fd, size_t size) {
  for (size_t got = 0; got < size;) got += Receive(fd);
}

void Stream(int fd, size_t pieces, size_t piece) {
  size_t room = kWindow;
  for (size_t i = 0; i < pieces; ++i) {
    if (room == 0) {
      Receive(fd);
      room += kWindow / 4;
    }
    Send(fd, piece);
    --room;
  }
}

void TakeStream(int fd, size_t pieces) {
  for (size_t i = 1; i <= pieces; ++i) {
    Receive(fd);
    if (i % (kWindow / 4) == 0) Send(fd, kShort);
  }
}

}  // namespace

double UdpRoundTripNanos(size_t there, uint64_t rounds, int cpu) {
  const Pair pair;
  const uint64_t warm_up = rounds / 10 + 1;
  const int mine = sched_getcpu();
  const Children child(1, [&](int) {
    BindChild(cpu, mine);
    for (uint64_t i = 0; i < warm_up + rounds; ++i) {
      ReceiveAll(pair[1], there);
      Send(pair[1], kShort);
    }
  });
  int64_t start = 0;
  for (uint64_t i = 0; i < warm_up + rounds; ++i) {
    if (i == warm_up) start = NowNanos();
    SendAll(pair[0], there);
    Receive(pair[0]);
  }
  return static_cast<double>(NowNanos() - start) / static_cast<double>(rounds);
}

double UdpStreamNanos(size_t size, uint64_t rounds, int cpu) {
  const Pair pair;
  const size_t parts = (size + kStreamPiece - 1) / kStreamPiece;
  const size_t piece = size / parts;
  const size_t pieces = parts * rounds + kWindow;
  const int mine = sched_getcpu();
  const Children child(1, [&](int) {
    BindChild(cpu, mine);
    TakeStream(pair[1], pieces);
    Send(pair[1], kShort);
  });
  const int64_t start = NowNanos();
  Stream(pair[0], pieces, piece);
  return static_cast<double>(NowNanos() - start) / static_cast<double>(rounds);
}

}  // namespace gasnet::bench
