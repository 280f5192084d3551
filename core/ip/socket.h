// UDP sockets.
#ifndef CORE_IP_SOCKET_H_
#define CORE_IP_SOCKET_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "core/ip/address.h"

namespace gasnet::ip {

// A bound socket that does not block, with buffers as large as it may have.
// `address` gets its port.
absl::StatusOr<UniqueFd> OpenUdpSocket(Address& address);

// Bytes of received datagrams that the socket keeps until they are taken, with
// the kernel's own books.
size_t ReceiveBuffer(int fd);

}  // namespace gasnet::ip

#endif  // CORE_IP_SOCKET_H_
