// Two non-blocking UDP sockets on loopback, connected to each other.
#ifndef BENCH_LIMITS_SOCKET_PAIR_H_
#define BENCH_LIMITS_SOCKET_PAIR_H_

namespace gasnet::bench {

// Opens the sockets. Ends the process if that is impossible.
class SocketPair {
 public:
  SocketPair();
  ~SocketPair();
  SocketPair(const SocketPair&) = delete;
  SocketPair& operator=(const SocketPair&) = delete;

  int operator[](int side) const { return fds_[side]; }

 private:
  int fds_[2];
};

}  // namespace gasnet::bench

#endif  // BENCH_LIMITS_SOCKET_PAIR_H_
