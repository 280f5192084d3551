// A network::Network over a UDP socket. It reaches the ranks that share no
// memory with this rank. It has an endpoint over the socket, and a progress
// thread that serves the endpoint while this process computes. With
// GASNET_UDP_PROGRESS this thread also serves puts, gets and memsets.
//
// Open exchanges addresses and the job's key over the control channel. Rank 0
// makes the key. The key is sent over no other channel.
#ifndef CONDUITS_UDP_NETWORK_H_
#define CONDUITS_UDP_NETWORK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "conduits/udp/settings.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/datagram/endpoint.h"
#include "core/datagram/options.h"
#include "core/datagram/port.h"
#include "core/datagram/seal.h"
#include "core/datagram/socket_port.h"
#include "core/ip/address.h"
#include "core/ip/progress_thread.h"
#include "core/network/network.h"
#include "core/network/unattended_service.h"
#include "core/observe/network_counts.h"
#include "core/segment.h"
#include "job/job.h"

namespace gasnet::udp {

using datagram::SocketPort;

class UdpNetwork final : public network::Network {
 public:
  // Opens the network. Collective: fails on all ranks if it fails on one.
  static absl::StatusOr<std::unique_ptr<UdpNetwork>> Open(job::Job& job);

  // Overrides of network::Network.
  absl::Status Start() override { return progress_thread_.Start(); }
  network::Capabilities capabilities() const override {
    return {.lands = true, .has_timers = true};
  }
  am::Post Send(Rank peer, am::Lane lane, const am::Message& message) override;
  bool MayHaveRoom(Rank peer, am::Lane lane, size_t) override {
    return endpoint_.MayHaveRoom(peer, lane);
  }
  network::Polled Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                       bool again) override;
  size_t MaxMedium() const override { return endpoint_.MaxMedium(); }
  size_t WholeMedium(Rank peer) const override {
    return endpoint_.WholeMedium(peer);
  }
  size_t MaxLong() const override { return endpoint_.MaxLong(); }
  void ServeTimers() override { endpoint_.ServeTimers(); }
  int64_t NextDeadline() const override { return endpoint_.NextDeadline(); }
  int fd() const override { return port_.fd(); }
  absl::StatusOr<network::Exposed> Expose(EndpointIndex endpoint,
                                          const Segment& segment) override {
    endpoint_.SetSegment(endpoint, segment);
    return network::Exposed();
  }
  void ServeUnattended(am::Dispatcher& dispatcher, void (*ring)(void* link),
                       void* link) override {
    service_.Set(dispatcher, ring, link);
  }
  void SetWatched(bool watched) override { service_.SetWatched(watched); }
  void Drain(bool patient) override;
  void Report() const override;

 private:
  UdpNetwork(const UdpSettings& settings, UniqueFd socket,
             std::vector<ip::Address> peers, const SocketPort::Options& port,
             const datagram::DatagramOptions& endpoint,
             const datagram::Seal& seal);

  // Returns the work of the progress thread.
  ip::ProgressThread::Work Work(bool attends);
  // Returns the socket if no thread of the client has served it since the last
  // call, and kServed otherwise. Called by the progress thread.
  int Attended();
  void Attend();

  static void ListCounts(const void* network, observe::NetworkCounts::Add add);

  // Waits until every message has arrived or can no longer arrive. Returns
  // false if `nanos` passed first.
  bool DrainFor(int64_t nanos, int64_t interval);

  const bool reports_;  // GASNET_UDP_STATISTICS
  SocketPort port_;
  // A port over port_ that adds faults; null if GASNET_UDP_FAULTS has none.
  const std::unique_ptr<datagram::Port> faulty_;
  datagram::DatagramEndpoint endpoint_;
  network::UnattendedService service_;
  // Another thread held the endpoint's lock. Used by the progress thread.
  bool was_busy_ = false;
  // The thread uses the members above.
  ip::ProgressThread progress_thread_;
  // Declared last, since statistics may visit the counts until it is destroyed.
  const observe::NetworkCounts counts_{this, &ListCounts};
};

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_NETWORK_H_
