// A network::Network over UDP sockets. It reaches the ranks that share no
// memory with this rank. It has rails (rails.h), and a progress thread that
// serves them while this process computes. With GASNET_UDP_PROGRESS this thread
// also serves puts, gets, memsets and atomics.
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
#include "conduits/udp/rail.h"
#include "conduits/udp/rails.h"
#include "conduits/udp/settings.h"
#include "core/am/link.h"
#include "core/am/message.h"
#include "core/ip/host_names.h"
#include "core/ip/progress_thread.h"
#include "core/network/network.h"
#include "core/network/unattended_service.h"
#include "core/observe/network_counts.h"
#include "core/segment.h"
#include "job/job.h"

namespace gasnet::udp {

class UdpNetwork final : public network::Network {
 public:
  // Opens the network. Collective: fails on all ranks if it fails on one.
  static absl::StatusOr<std::unique_ptr<UdpNetwork>> Open(job::Job& job);

  // Overrides of network::Network.
  absl::Status Start() override;
  network::Capabilities capabilities() const override {
    return {.lands = true, .has_timers = true};
  }
  am::Post Send(Rank peer, am::Lane lane, const am::Message& message) override;
  bool MayHaveRoom(Rank peer, am::Lane lane, size_t) override {
    return rails_.Current().endpoint.MayHaveRoom(peer, lane);
  }
  network::Polled Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                       bool again) override;
  size_t MaxMedium() const override {
    return rails_.at(0).endpoint.MaxMedium();
  }
  size_t WholeMedium(Rank peer) const override {
    return rails_.Current().endpoint.WholeMedium(peer);
  }
  size_t MaxLong() const override { return rails_.at(0).endpoint.MaxLong(); }
  // Serves the timers of the calling thread's rail. Polls and the progress
  // thread serve those of the others.
  void ServeTimers() override { rails_.Current().endpoint.ServeTimers(); }
  int64_t NextDeadline() const override { return rails_.SleepUntil(); }
  std::span<const int> fds() const override { return rails_.fds(); }
  absl::StatusOr<network::Exposed> Expose(EndpointIndex endpoint,
                                          const Segment& segment) override {
    rails_.SetSegment(endpoint, segment);
    return network::Exposed();
  }
  void ServeUnattended(am::Dispatcher& dispatcher, void (*ring)(void* link),
                       void* link) override {
    service_.Set(dispatcher, ring, link);
  }
  void SetWatched(bool watched) override {
    service_.SetWatched(watched);
    if (!watched) UdpRails::LookAtAllNext();
  }
  observe::NetworkWait LongestWait() override;
  void Drain(bool patient) override;
  void Report() const override;

 private:
  UdpNetwork(const UdpSettings& settings,
             std::shared_ptr<const ip::HostNames> hosts,
             std::vector<std::unique_ptr<UdpRail>> rails);

  // Returns the work of the progress thread.
  ip::ProgressThread::Work Work(bool attends);
  // Returns the sockets' descriptor if no thread of the client has served a
  // rail since the last call, or kLookSoon if replies are owed, and kServed
  // otherwise. Called by the progress thread.
  int Attended();
  void Attend();

  static void ListCounts(const void* network, observe::NetworkCounts::Add add);

  const std::shared_ptr<const ip::HostNames> hosts_;
  const bool reports_;  // GASNET_UDP_STATISTICS
  const bool attends_;  // GASNET_UDP_PROGRESS
  UdpRails rails_;
  network::UnattendedService service_;
  // Another thread held the lock of a rail. Used by the progress thread.
  bool was_busy_ = false;
  int64_t next_owed_look_ = 0;  // likewise
  // The thread uses the members above.
  ip::ProgressThread progress_thread_;
  // Declared last, since statistics may visit the counts until it is destroyed.
  const observe::NetworkCounts counts_{this, &ListCounts};
};

}  // namespace gasnet::udp

#endif  // CONDUITS_UDP_NETWORK_H_
