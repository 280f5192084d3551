// UDP sockets.
#ifndef CORE_IP_SOCKET_H_
#define CORE_IP_SOCKET_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "core/ip/address.h"

namespace gasnet::ip {

// Opens a bound, non-blocking socket with buffers as large as the system
// permits. Stores the chosen port in `address`.
absl::StatusOr<UniqueFd> OpenUdpSocket(Address& address);

// Returns the bytes of received datagrams that the socket can hold, including
// the kernel's bookkeeping.
size_t ReceiveBuffer(int fd);

}  // namespace gasnet::ip

#endif  // CORE_IP_SOCKET_H_
