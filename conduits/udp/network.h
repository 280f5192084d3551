// The way to the ranks that this one shares no memory with: a socket, and the
// endpoint over it. Opened when there are such ranks; collective.
//
// Opening exchanges addresses and the job's key, made by rank 0, on the control
// channel. The key leaves it for nowhere.
#ifndef CONDUITS_UDP_NETWORK_H_
#define CONDUITS_UDP_NETWORK_H_

#include <memory>

#include "base/status.h"
#include "conduits/udp/settings.h"
#include "conduits/udp/socket_port.h"
#include "core/datagram/endpoint.h"
#include "core/datagram/options.h"
#include "core/datagram/seal.h"
#include "core/job/job.h"

namespace gasnet::udp {

class Network {
 public:
  using Endpoint = datagram::Endpoint<SocketPort>;

  // Fails on all ranks when it fails on one.
  static StatusOr<std::unique_ptr<Network>> Open(job::Job& job,
                                                 const Settings& settings);

  SocketPort& port() { return port_; }
  Endpoint& endpoint() { return endpoint_; }
  const SocketPort& port() const { return port_; }
  const Endpoint& endpoint() const { return endpoint_; }

 private:
  Network(UniqueFd socket, std::vector<Address> peers,
          const SocketPort::Options& port, const datagram::Options& endpoint,
          const datagram::Seal& seal);

  SocketPort port_;
  Endpoint endpoint_;
};

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_NETWORK_H_
