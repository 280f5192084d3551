// A rail of a rank: a socket, and an endpoint over it with a lock, windows and
// packets of its own. Threads on different rails share no lock and no socket.
#ifndef CONDUITS_UDP_RAIL_H_
#define CONDUITS_UDP_RAIL_H_

#include <memory>
#include <utility>

#include "conduits/udp/settings.h"
#include "core/datagram/endpoint.h"
#include "core/datagram/faulty_port.h"
#include "core/datagram/job_socket.h"
#include "core/datagram/options.h"
#include "core/datagram/port.h"
#include "core/datagram/seal.h"
#include "core/datagram/socket_port.h"
#include "core/ip/socket.h"

namespace gasnet::udp {

struct UdpRail {
  UdpRail(const UdpSettings& settings, datagram::RailSocket socket,
          const datagram::SocketPort::Options& options,
          const datagram::DatagramOptions& endpoint_options,
          const datagram::Seal& seal)
      : port(std::move(socket.socket), std::move(socket.peers), options),
        faulty(datagram::FaultyPort::Before(port, settings.faults,
                                            endpoint_options.me)),
        endpoint(faulty != nullptr ? *faulty : port,
                 WithWindow(endpoint_options, ip::ReceiveBuffer(port.fd())),
                 seal) {}

  datagram::SocketPort port;
  // A port over `port` that adds faults; null if GASNET_UDP_FAULTS has none.
  const std::unique_ptr<datagram::Port> faulty;
  datagram::DatagramEndpoint endpoint;

 private:
  // Sets the receive window to half of the socket buffer. The other half is
  // room for structures of Linux, which counts them against the buffer.
  static datagram::DatagramOptions WithWindow(datagram::DatagramOptions options,
                                              size_t buffer_bytes) {
    options.receive_window_bytes = buffer_bytes / 2;
    return options;
  }
};

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_RAIL_H_
