#include "conduits/udp/network.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
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
  options.encrypt = settings.encrypt;
  return options;
}

// Adds the notices of a rail. They name the hosts' addresses: users need those
// of both ends to find an obstacle between them. told_narrow: true once a rail
// has reported a narrow path.
void AddNotices(const std::shared_ptr<const ip::HostNames>& names,
                const std::shared_ptr<std::atomic<bool>>& told_narrow,
                datagram::DatagramOptions& options) {
  options.on_silent = [names, limit = options.timing.silence_limit](
                          Rank peer, int64_t silence) {
    const ip::HostNames& hosts = *names;
    Fatal(
        "rank %u on host %s has not answered for %.3f s to packets of host %s; "
        "GASNET_REQUESTTIMEOUT_MAX allows %.3f s",
        peer, hosts.Of(peer), static_cast<double>(silence) / kNanosPerSecond,
        hosts.Mine(), static_cast<double>(limit) / kNanosPerSecond);
  };
  options.on_narrow = [names, told_narrow](Rank peer, size_t bytes) {
    if (told_narrow->exchange(true)) return;
    const ip::HostNames& hosts = *names;
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
                       std::shared_ptr<const ip::HostNames> hosts,
                       std::vector<std::unique_ptr<UdpRail>> rails)
    : hosts_(std::move(hosts)),
      reports_(settings.statistics),
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
  const auto names = std::make_shared<const ip::HostNames>(
      job.host_of(), job.rank(), *addresses);
  const auto told_narrow = std::make_shared<std::atomic<bool>>(false);
  std::vector<datagram::RailSocket> sockets = datagram::OpenRailSockets(
      job, opened->peers, UdpRails::Useful(RailsOf(job, settings)) - 1);
  sockets.insert(sockets.begin(),
                 {std::move(opened->socket), std::move(opened->peers)});
  std::vector<std::unique_ptr<UdpRail>> rails;
  for (datagram::RailSocket& socket : sockets) {
    AddNotices(names, told_narrow, endpoint);
    rails.push_back(std::make_unique<UdpRail>(settings, std::move(socket), port,
                                              endpoint, opened->MakeSeal()));
    ++endpoint.rail;
  }
  return std::unique_ptr<UdpNetwork>(
      new UdpNetwork(settings, names, std::move(rails)));
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

observe::NetworkWait UdpNetwork::LongestWait() {
  const auto silence = rails_.LongestSilence();
  if (!silence || NowNanos() - silence->since < kNanosPerSecond) return {};
  const Rank peer = silence->peer;
  const char* const never =
      rails_.HasHeard(peer)
          ? ""
          : "; nothing has ever come from it: does a firewall drop UDP? "
            "(GASNET_WORKERIP chooses other addresses)";
  return {.since = silence->since,
          .peer = peer,
          .text = absl::StrCat("no answer from host ", hosts_->Of(peer), " to ",
                               silence->in_flight, " packets of host ",
                               hosts_->Mine(), never)};
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
