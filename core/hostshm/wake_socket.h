// A socket by which any process of the host wakes a thread that waits for file
// descriptors. A futex cannot wake such a thread.
//
// The socket has a name of random bytes in the abstract namespace of unix(7):
// the name is in no file system and disappears with its process. The rank's
// doorbell, in shared memory, has a copy of the name for the ranks that ring.
// Datagrams carry no data: another program could make the rank look for
// messages, but nothing more.
#ifndef CORE_HOSTSHM_WAKE_SOCKET_H_
#define CORE_HOSTSHM_WAKE_SOCKET_H_

#include <array>
#include <cstdint>

#include "absl/status/status.h"
#include "base/unique_fd.h"

namespace gasnet::hostshm {

// The name of a socket. All 0 if there is no socket.
using WakeName = std::array<uint64_t, 2>;

class WakeSocket {
 public:
  WakeSocket() = default;
  // Closes the socket. Afterwards this process no longer wakes others.
  ~WakeSocket();
  WakeSocket(const WakeSocket&) = delete;
  WakeSocket& operator=(const WakeSocket&) = delete;

  // Makes the socket and its name. From then on this process can wake others.
  absl::Status Open();

  const WakeName& name() const { return name_; }
  // Returns the descriptor. It becomes readable when Wake() is called with the
  // name.
  int fd() const { return socket_.get(); }
  // Makes fd() unreadable until the next Wake.
  void Drain();

  // Wakes the thread, if any, that waits for the socket of this name. Does
  // nothing if this process has no wake socket: then no rank of its job has
  // one, and the name, which lies in shared memory, is garbage.
  static void Wake(const WakeName& name);

 private:
  UniqueFd socket_;
  WakeName name_{};
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_WAKE_SOCKET_H_
