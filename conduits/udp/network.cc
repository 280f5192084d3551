#include "conduits/udp/network.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/clock.h"
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

// Adds host addresses to notices. Users need the addresses of both ends to find
// an obstacle between them. Each notice is printed once for all rails.
void AddNotices(std::shared_ptr<const ip::HostNames> hosts,
                datagram::DatagramOptions& options) {
  struct Told {
    std::array<std::atomic<bool>, 2> silence{};  // by `heard`
    std::atomic<bool> narrow{false};
  };
  const auto told = std::make_shared<Told>();
  options.on_silence = [hosts, told](Rank peer, int64_t silence, bool heard) {
    if (told->silence[heard ? 1 : 0].exchange(true)) return;
    const double seconds = static_cast<double>(silence) / kNanosPerSecond;
    if (heard) {
      Warn(
          "nothing has arrived from rank %u on host %s for %.1f s, and no "
          "answer to packets of host %s: rank %u makes no GASNet call, or UDP "
          "does not pass between these addresses any more; the job goes on",
          peer, hosts->Of(peer), seconds, hosts->Mine(), peer);
      return;
    }
    Warn(
        "nothing has ever arrived from rank %u on host %s, and for %.1f s no "
        "answer to packets of host %s: rank %u makes no GASNet call, or UDP "
        "does not pass between these addresses (does a firewall drop it? "
        "GASNET_WORKERIP chooses other addresses); the job goes on",
        peer, hosts->Of(peer), seconds, hosts->Mine(), peer);
  };
  options.on_silent = [hosts, limit = options.timing.silence_limit](
                          Rank peer, int64_t silence) {
    Fatal(
        "rank %u on host %s has not answered for %.3f s to packets of host %s; "
        "GASNET_REQUESTTIMEOUT_MAX allows %.3f s",
        peer, hosts->Of(peer), static_cast<double>(silence) / kNanosPerSecond,
        hosts->Mine(), static_cast<double>(limit) / kNanosPerSecond);
  };
  options.on_narrow = [hosts, told](Rank peer, size_t bytes) {
    if (told->narrow.exchange(true)) return;
    Warn(
        "datagrams of %zu bytes from host %s do not reach rank %u on host %s, "
        "smaller ones do: something between them has a smaller MTU than the "
        "interfaces of both, and silently drops larger datagrams; the job "
        "goes on with smaller ones, which is slower",
        bytes, hosts->Mine(), peer, hosts->Of(peer));
  };
}

}  // namespace

UdpNetwork::UdpNetwork(const UdpSettings& settings,
                       std::vector<std::unique_ptr<UdpRail>> rails)
    : reports_(settings.statistics),
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
  AddNotices(
      std::make_shared<ip::HostNames>(job.host_of(), job.rank(), *addresses),
      endpoint);
  std::vector<datagram::RailSocket> sockets = datagram::OpenRailSockets(
      job, opened->peers, UdpRails::Useful(settings.rails) - 1);
  sockets.insert(sockets.begin(),
                 {std::move(opened->socket), std::move(opened->peers)});
  std::vector<std::unique_ptr<UdpRail>> rails;
  for (datagram::RailSocket& socket : sockets) {
    rails.push_back(std::make_unique<UdpRail>(settings, std::move(socket), port,
                                              endpoint, opened->MakeSeal()));
    ++endpoint.rail;
  }
  return std::unique_ptr<UdpNetwork>(
      new UdpNetwork(settings, std::move(rails)));
}

absl::Status UdpNetwork::Start() {
  const absl::Status status = rails_.Start();
  return status.ok() ? progress_thread_.Start() : status;
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
  return service_.IsNeeded(rails_.polls()) && !was_busy && rails_.MayAttend()
             ? rails_.fd()
             : ip::ProgressThread::kServed;
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
  if (!patient) {
    DrainFor(kDrainLimit, kDrainInterval);
    return;
  }
  // If the end of the process has interrupted a send, DrainFor() can make no
  // progress. Then this loop gives up.
  uint32_t steps;
  do {
    steps = rails_.drain_steps();
  } while (!DrainFor(kDrainLimit, kPatientInterval) &&
           rails_.drain_steps() != steps);
}

void UdpNetwork::Report() const {
  if (!reports_) return;
  const datagram::Description description(rails_.statistics(), rails_.Lost());
  Inform("UDP statistics: %s", description.text());
}

bool UdpNetwork::DrainFor(int64_t nanos, int64_t interval) {
  // A forked child shares the socket, the encryption key and the key's counter.
  // A datagram from the child would reveal the key, and datagrams that the
  // child received would be lost.
  if (IsForkedChild()) return true;
  const timespec moment = ToTimespec(interval);
  return rails_.Drain(NowNanos() + nanos, [&] { nanosleep(&moment, nullptr); });
}

}  // namespace gasnet::udp
