// A socket by which any process of the host wakes a thread that waits for file
// descriptors, which a futex does not reach.
//
// A rank that sleeps so has a socket with a name of random bytes in the
// abstract namespace of unix(7): it is in no file system and is gone with its
// process. The name is in the rank's doorbell, in shared memory, for the ranks
// that ring it. A datagram there carries no meaning: another program can make
// the rank look, and do no more.
#ifndef CORE_HOSTSHM_WAKE_SOCKET_H_
#define CORE_HOSTSHM_WAKE_SOCKET_H_

#include <array>
#include <cstdint>

#include "absl/status/status.h"
#include "base/unique_fd.h"

namespace gasnet::hostshm {

// The name of a socket. All 0: no socket has it.
using WakeName = std::array<uint64_t, 2>;

class WakeSocket {
 public:
  WakeSocket() = default;
  // Closes the socket. This process wakes no others any more.
  ~WakeSocket();
  WakeSocket(const WakeSocket&) = delete;
  WakeSocket& operator=(const WakeSocket&) = delete;

  // Makes the socket and its name. From then on this process can wake others.
  absl::Status Open();

  const WakeName& name() const { return name_; }
  // Readable once Wake was called with the name.
  int fd() const { return socket_.get(); }
  // Makes it unreadable until the next Wake.
  void Drain();

  // Wakes the thread that waits for the socket of that name, if there is one. A
  // process that has opened no socket wakes none: then no rank of its job can
  // be waiting so, whatever the doorbells say, to which others may write.
  static void Wake(const WakeName& name);

 private:
  UniqueFd socket_;
  WakeName name_{};
};

}  // namespace gasnet::hostshm

#endif  // CORE_HOSTSHM_WAKE_SOCKET_H_
