#include "bench/limits/udp_loop.h"

#include <sched.h>
#include <sys/socket.h>

#include <algorithm>

#include "base/clock.h"
#include "bench/limits/child.h"
#include "bench/limits/socket_pair.h"

namespace gasnet::bench {
namespace {

// Sizes of the pieces of large messages. kPiece is for round trips: the
// receiver reads one half of a message while the sender writes the other half.
// kStreamPiece is for streams. It is as large as 64 KiB of kernel memory
// permits; smaller and larger pieces are slower.
constexpr size_t kPiece = 32 * 1024;
constexpr size_t kStreamPiece = 64000;
constexpr size_t kShort = 16;
// The maximum number of messages in flight. The receiver sends an
// acknowledgement for each quarter of this window.
constexpr size_t kWindow = 16;

alignas(64) char buffer[65536];

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
  const SocketPair pair;
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
  const SocketPair pair;
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
