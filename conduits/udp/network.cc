#include "conduits/udp/network.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/forked.h"
#include "base/log.h"
#include "conduits/udp/settings.h"
#include "conduits/udp/tuning.h"
#include "core/datagram/description.h"
#include "core/datagram/job_socket.h"
#include "core/datagram/options.h"
#include "core/datagram/socket_port.h"
#include "core/ip/host_names.h"
#include "core/ip/job_addresses.h"

namespace gasnet::udp {
namespace {

datagram::DatagramOptions EndpointOptions(const job::Job& job,
                                          const UdpSettings& settings) {
  datagram::DatagramOptions options;
  options.me = job.rank();
  options.ranks = job.size();
  options.depth = settings.depth;
  options.timing.initial_timeout = settings.initial_timeout;
  options.timing.max_timeout =
      std::max(options.timing.max_timeout, settings.initial_timeout);
  options.timing.backoff = settings.backoff;
  options.timing.silence_limit = settings.silence_limit;
  options.timing.silence_notice = settings.silence_notice;
  options.encrypt = settings.encrypt;
  return options;
}

// The state of notices, which are printed once for all rails.
struct Notices {
  explicit Notices(ip::HostNames names) : hosts(std::move(names)) {}

  const ip::HostNames hosts;
  std::array<std::atomic<bool>, 2> told_silence{};  // by `heard`
  std::atomic<bool> told_narrow{false};
  // Null until there are rails.
  std::atomic<const UdpRails*> rails{nullptr};

  std::optional<bool> HasHeard(Rank peer, size_t asking) const {
    const UdpRails* const all = rails.load();
    return all == nullptr ? false : all->HasHeard(peer, asking);
  }
};

// Adds host addresses to the notices of a rail. Users need the addresses of
// both ends to find an obstacle between them.
void AddNotices(const std::shared_ptr<Notices>& notices,
                datagram::DatagramOptions& options) {
  options.on_silence = [notices, rail = options.rail](
                           Rank peer, int64_t silence, bool heard_here) {
    const std::optional<bool> known =
        heard_here ? true : notices->HasHeard(peer, rail);
    // The next time-out asks again.
    if (!known.has_value()) return false;
    const bool heard = *known;
    const bool is_told = notices->told_silence[heard ? 1 : 0].exchange(true);
    if (is_told) return heard == heard_here;
    const ip::HostNames& hosts = notices->hosts;
    const double seconds = static_cast<double>(silence) / kNanosPerSecond;
    if (heard) {
      Warn(
          "nothing has arrived from rank %u on host %s for %.1f s, and no "
          "answer to packets of host %s: rank %u makes no GASNet call, or UDP "
          "does not pass between these addresses any more; the job goes on",
          peer, hosts.Of(peer), seconds, hosts.Mine(), peer);
      return heard_here;
    }
    Warn(
        "nothing has ever arrived from rank %u on host %s, and for %.1f s no "
        "answer to packets of host %s: rank %u makes no GASNet call, or UDP "
        "does not pass between these addresses (does a firewall drop it? "
        "GASNET_WORKERIP chooses other addresses); the job goes on",
        peer, hosts.Of(peer), seconds, hosts.Mine(), peer);
    return true;
  };
  options.on_silent = [notices, limit = options.timing.silence_limit](
                          Rank peer, int64_t silence) {
    const ip::HostNames& hosts = notices->hosts;
    Fatal(
        "rank %u on host %s has not answered for %.3f s to packets of host %s; "
        "GASNET_REQUESTTIMEOUT_MAX allows %.3f s",
        peer, hosts.Of(peer), static_cast<double>(silence) / kNanosPerSecond,
        hosts.Mine(), static_cast<double>(limit) / kNanosPerSecond);
  };
  options.on_narrow = [notices](Rank peer, size_t bytes) {
    if (notices->told_narrow.exchange(true)) return;
    const ip::HostNames& hosts = notices->hosts;
    Warn(
        "datagrams of %zu bytes from host %s do not reach rank %u on host %s, "
        "smaller ones do: something between them has a smaller MTU than the "
        "interfaces of both, and silently drops larger datagrams; the job "
        "goes on with smaller ones, which is slower",
        bytes, hosts.Mine(), peer, hosts.Of(peer));
  };
}

// Returns the number of rails that this rank asks for. A rank cannot use more
// than it has processors.
unsigned RailsOf(const job::Job& job, const UdpSettings& settings) {
  if (settings.rails != 0) return settings.rails;
  const unsigned share = job.host_cpus() / job.host_size();
  return std::clamp(std::min(OnlineCpus(), share), 1u, kMaxRails);
}

}  // namespace

UdpNetwork::UdpNetwork(const UdpSettings& settings,
                       std::vector<std::unique_ptr<UdpRail>> rails)
    : reports_(settings.statistics),
      attends_(settings.progress),
      rails_(std::move(rails)),
      progress_thread_(Work(settings.progress)) {}

absl::StatusOr<std::unique_ptr<UdpNetwork>> UdpNetwork::Open(job::Job& job) {
  const UdpSettings settings = SettingsFromEnvironment();
  const absl::StatusOr<ip::JobAddresses> addresses =
      ip::ChooseJobAddresses(job, settings.addresses);
  if (!addresses.ok()) return addresses.status();
  absl::StatusOr<datagram::JobSocket> opened =
      datagram::OpenJobSocket(job, *addresses, "gasnet_init");
  if (!opened.ok()) return opened.status();
  const datagram::SocketPort::Options port = {
      .max_datagram = opened->max_datagram,
      .offload = settings.offload && !opened->loopback,
      .loopback = opened->loopback};
  datagram::DatagramOptions endpoint = EndpointOptions(job, settings);
  endpoint.sure_datagram = opened->sure_datagram();
  endpoint.has_left = [&job](Rank peer) { return job.HasLeft(peer); };
  const auto notices = std::make_shared<Notices>(
      ip::HostNames(job.host_of(), job.rank(), *addresses));
  std::vector<datagram::RailSocket> sockets = datagram::OpenRailSockets(
      job, opened->peers, UdpRails::Useful(RailsOf(job, settings)) - 1);
  sockets.insert(sockets.begin(),
                 {std::move(opened->socket), std::move(opened->peers)});
  std::vector<std::unique_ptr<UdpRail>> rails;
  for (datagram::RailSocket& socket : sockets) {
    AddNotices(notices, endpoint);
    rails.push_back(std::make_unique<UdpRail>(settings, std::move(socket), port,
                                              endpoint, opened->MakeSeal()));
    ++endpoint.rail;
  }
  std::unique_ptr<UdpNetwork> network(
      new UdpNetwork(settings, std::move(rails)));
  notices->rails = &network->rails_;
  return network;
}

absl::Status UdpNetwork::Start() {
  if (attends_) {
    const absl::Status status = rails_.StartAttending();
    if (!status.ok()) return status;
  }
  return progress_thread_.Start();
}

am::Post UdpNetwork::Send(Rank peer, am::Lane lane,
                          const am::Message& message) {
  const am::Post post = rails_.Current().endpoint.Send(peer, lane, message);
  progress_thread_.Wake();
  return post;
}

network::Polled UdpNetwork::Poll(am::Lanes lanes, am::Dispatcher& dispatcher,
                                 bool again) {
  const UdpRails::Result result = rails_.Poll(lanes, dispatcher, again);
  if (result.has_deadline) progress_thread_.Wake();
  return result.polled;
}

ip::ProgressThread::Work UdpNetwork::Work(bool attends) {
  ip::ProgressThread::Work work = {
      this,
      [](void* of) {
        return static_cast<UdpNetwork*>(of)->rails_.NextDeadline();
      },
      [](void* of) { static_cast<UdpNetwork*>(of)->rails_.Maintain(); }};
  if (attends) {
    work.attended = [](void* of) {
      return static_cast<UdpNetwork*>(of)->Attended();
    };
    work.attend = [](void* of) { static_cast<UdpNetwork*>(of)->Attend(); };
  }
  return work;
}

int UdpNetwork::Attended() {
  const bool was_busy = std::exchange(was_busy_, false);
  if (!service_.IsNeeded(rails_.polls()) || was_busy || !rails_.MayAttend()) {
    return ip::ProgressThread::kServed;
  }
  // Acknowledgements make room for replies, and arrive. Only a socket that was
  // full needs another look.
  if (rails_.OwesReplies() && NowNanos() >= next_owed_look_) {
    next_owed_look_ = NowNanos() + kHeldInterval;
    return ip::ProgressThread::kLookSoon;
  }
  return rails_.AttendedFd();
}

void UdpNetwork::Attend() {
  service_.Run([this](am::Dispatcher& dispatcher) {
    const UdpRails::Attendance attendance = rails_.Attend(dispatcher);
    was_busy_ = attendance == UdpRails::Attendance::kBusy;
    return attendance == UdpRails::Attendance::kReceived;
  });
}

void UdpNetwork::ListCounts(const void* network,
                            observe::NetworkCounts::Add add) {
  const auto& mine = *static_cast<const UdpNetwork*>(network);
  const datagram::DatagramStatistics counts = mine.rails_.statistics();
  add("messages_sent", counts.messages_sent);
  add("packets_sent", counts.packets_sent);
  add("acknowledgements_sent", counts.acks_sent);
  add("messages_received", counts.messages_delivered);
  add("packets_received", counts.packets_received);
  add("served_while_computing", counts.unattended);
  add("packets_repeated", counts.retransmissions);
  add("time_outs", counts.timeouts);
  add("probes", counts.probes);
  uint64_t dropped = 0;
  for (const uint64_t reason : counts.dropped) dropped += reason;
  add("packets_dropped", dropped);
  add("socket_full", mine.rails_.Lost());
}

void UdpNetwork::Drain(bool patient) {
  // A forked child shares the sockets, the encryption key and the key's
  // counters. A datagram from the child would reveal the key, and datagrams
  // that the child received would be lost.
  if (IsForkedChild()) return;
  const timespec moment =
      ToTimespec(patient ? kPatientInterval : kDrainInterval);
  const auto drain = [&] {
    return rails_.Drain(NowNanos() + kDrainLimit,
                        [&] { nanosleep(&moment, nullptr); });
  };
  while (drain() == UdpRails::Drained::kNotYet && patient) {
  }
}

void UdpNetwork::Report() const {
  if (!reports_) return;
  const datagram::Description description(rails_.statistics(), rails_.Lost());
  Inform("UDP statistics: %s", description.text());
}

}  // namespace gasnet::udp
