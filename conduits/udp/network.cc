#include "conduits/udp/network.h"

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/forked.h"
#include "base/log.h"
#include "base/status.h"
#include "base/strings.h"
#include "conduits/udp/last_words.h"
#include "conduits/udp/settings.h"
#include "core/datagram/port.h"
#include "core/ip/host_names.h"
#include "core/ip/interfaces.h"
#include "core/ip/job_addresses.h"
#include "core/ip/socket.h"
#include "job/gather.h"
#include "job/shared_failure.h"
#include "job/wire/secret.h"

template class gasnet::datagram::Transmitter<gasnet::udp::SocketPort>;
template class gasnet::datagram::Endpoint<gasnet::udp::SocketPort>;

namespace gasnet::udp {
namespace {

// On loopback a datagram may be larger than any network lets it be: as large as
// fits into 64 KiB of the kernel's memory, with what it puts beside. There is
// nothing for offloads to save then. Where sockets hold little it is half of
// that, so that several are under way.
constexpr size_t kLoopbackDatagram = 64000;
constexpr size_t kLoopbackDatagramOfFew = 33 * 1024;
constexpr size_t kManyDatagrams = 64;
constexpr size_t kIpv4Headers = 28;
constexpr size_t kIpv6Headers = 48;
// Every network carries that (IPv6 asks for 1280 bytes with headers).
constexpr size_t kLeastDatagram = 1200 / 16 * 16;

// What ranks tell each other once they have a socket.
struct Contact {
  ip::Address address;
  uint64_t receive_buffer;  // bytes
  uint8_t ok;
  uint8_t has_aes;
};
static_assert(std::is_trivially_copyable_v<Contact>);

// The largest datagram that every host's interface takes whole.
size_t LargestDatagram(const std::vector<ip::Interface>& chosen,
                       const std::vector<Contact>& contacts) {
  uint64_t buffer = kManyDatagrams * kLoopbackDatagram;
  for (const Contact& contact : contacts) {
    buffer = std::min(buffer, contact.receive_buffer);
  }
  size_t largest =
      std::max<size_t>(kLoopbackDatagramOfFew, buffer / kManyDatagrams);
  for (const ip::Interface& interface : chosen) {
    const size_t headers =
        interface.address.family() == AF_INET ? kIpv4Headers : kIpv6Headers;
    if (interface.mtu < kLeastDatagram + headers) return kLeastDatagram;
    largest = std::min<size_t>(largest, interface.mtu - headers);
  }
  return largest / datagram::kDatagramAlignment * datagram::kDatagramAlignment;
}

// Opens this rank's socket and tells everybody; answers all contacts.
StatusOr<std::vector<Contact>> ExchangeContacts(job::Job& job,
                                                const ip::Interface& interface,
                                                UniqueFd& socket) {
  Contact mine = {};
  mine.address = interface.address;
  StatusOr<UniqueFd> opened = ip::OpenUdpSocket(mine.address);
  mine.ok = opened.ok();
  if (opened.ok()) mine.receive_buffer = ip::ReceiveBuffer(opened->get());
  mine.has_aes = datagram::Seal::HasAes();
  std::vector<Contact> all = job::Gather(job, mine);
  for (Rank rank = 0; rank < job.size(); ++rank) {
    if (all[rank].ok != 0) continue;
    return job::ReportFirst(job, "gasnet_init", rank, opened.status(),
                            "could not open its UDP socket");
  }
  socket = *std::move(opened);
  return all;
}

datagram::Seal::Key KeyOf(const job::Job& job) {
  datagram::Seal::Key key;
  static_assert(sizeof key == job::Secret::kKeyBytes);
  job.key().copy(reinterpret_cast<char*>(key.data()), key.size());
  return key;
}

// Processors of different kinds must agree.
datagram::Cipher CommonCipher(const std::vector<Contact>& all) {
  for (const Contact& contact : all) {
    if (contact.has_aes == 0) return datagram::Cipher::kChaCha20Poly1305;
  }
  return datagram::Cipher::kAes256Gcm;
}

datagram::Options EndpointOptions(const job::Job& job,
                                  const Settings& settings) {
  datagram::Options options;
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

// Who talks to whom by which addresses is what helps to find what stands
// between them.
void AddNotices(std::shared_ptr<const ip::HostNames> hosts,
                datagram::Options& options) {
  options.on_silence = [hosts](Rank peer, int64_t silence, bool heard) {
    const double seconds = static_cast<double>(silence) / kNanosPerSecond;
    if (heard) {
      Warn(
          "nothing has come from rank %u on host %s for %.1f s, no answer to "
          "what host %s sends: rank %u makes no GASNet call, or UDP does not "
          "pass between these addresses any more; the job goes on",
          peer, hosts->Of(peer), seconds, hosts->Mine(), peer);
      return;
    }
    Warn(
        "nothing has ever come from rank %u on host %s, and for %.1f s no "
        "answer to what host %s sends: rank %u makes no GASNet call, or UDP "
        "does not pass between these addresses (does a firewall drop it? "
        "GASNET_WORKERIP chooses other addresses); the job goes on",
        peer, hosts->Of(peer), seconds, hosts->Mine(), peer);
  };
  options.on_silent = [hosts, limit = options.timing.silence_limit](
                          Rank peer, int64_t silence) {
    Fatal(
        "rank %u on host %s has not answered for %.3f s to what host %s sends; "
        "GASNET_REQUESTTIMEOUT_MAX allows %.3f s",
        peer, hosts->Of(peer), static_cast<double>(silence) / kNanosPerSecond,
        hosts->Mine(), static_cast<double>(limit) / kNanosPerSecond);
  };
  options.on_narrow = [hosts](Rank peer, size_t bytes) {
    Warn(
        "datagrams of %zu bytes from host %s do not reach rank %u on host %s, "
        "smaller ones do: something between them has a smaller MTU than the "
        "interfaces of both, and drops what is larger without a word; the job "
        "goes on with smaller ones, which take longer",
        bytes, hosts->Mine(), peer, hosts->Of(peer));
  };
}

// Linux counts its own books against the buffer as well.
datagram::Options WithWindow(datagram::Options options, size_t buffer_bytes) {
  options.receive_window_bytes = buffer_bytes / 2;
  return options;
}

}  // namespace

Network::Network(Rank me, UniqueFd socket, std::vector<ip::Address> peers,
                 const SocketPort::Options& port,
                 const datagram::Options& endpoint, const datagram::Seal& seal)
    : me_(me),
      port_(std::move(socket), std::move(peers), port),
      endpoint_(port_, WithWindow(endpoint, ip::ReceiveBuffer(port_.fd())),
                seal),
      progress_thread_(
          new ip::ProgressThread(ip::ProgressThread::WorkOf(endpoint_))) {}

StatusOr<std::unique_ptr<Network>> Network::Open(job::Job& job) {
  const Settings settings = SettingsFromEnvironment();
  const StatusOr<ip::JobAddresses> addresses =
      ip::ChooseJobAddresses(job, settings.addresses);
  if (!addresses.ok()) return addresses.status();
  const std::vector<ip::Interface>& chosen = addresses->chosen;
  UniqueFd socket;
  StatusOr<std::vector<Contact>> contacts =
      ExchangeContacts(job, chosen[job.host_of()[job.rank()]], socket);
  if (!contacts.ok()) return contacts.status();
  std::vector<ip::Address> peers;
  for (const Contact& contact : *contacts) peers.push_back(contact.address);
  const bool on_loopback = chosen.front().address.IsLoopback();
  const SocketPort::Options port = {
      .max_datagram = LargestDatagram(chosen, *contacts),
      .offload = settings.offload && !on_loopback,
      .loopback = on_loopback,
      .faults = settings.faults,
      .me = job.rank()};
  datagram::Options endpoint = EndpointOptions(job, settings);
  // On loopback there is no path that could take less.
  if (!on_loopback) endpoint.sure_datagram = kLeastDatagram;
  endpoint.has_left = [&job](Rank peer) { return job.HasLeft(peer); };
  AddNotices(
      std::make_shared<ip::HostNames>(job.host_of(), job.rank(), *addresses),
      endpoint);
  const datagram::Seal seal(KeyOf(job), CommonCipher(*contacts));
  std::unique_ptr<Network> network(new Network(
      job.rank(), std::move(socket), std::move(peers), port, endpoint, seal));
  if (settings.statistics) SpeakAtEnd(*network);
  return network;
}

void Network::Drain(bool patient) {
  if (!patient) {
    DrainFor(kDrainLimit, kDrainInterval);
    return;
  }
  // Where the end has interrupted a send it can do nothing, and gives up too.
  uint32_t steps;
  do {
    steps = endpoint_.drain_steps();
  } while (!DrainFor(kDrainLimit, kPatientInterval) &&
           endpoint_.drain_steps() != steps);
}

bool Network::DrainFor(int64_t nanos, int64_t interval) {
  // A child that was forked shares the socket, the key and its counter: a word
  // from it would betray the key, and what it received would be lost.
  if (IsForkedChild()) return true;
  const timespec moment = ToTimespec(interval);
  return endpoint_.Drain(NowNanos() + nanos,
                         [&] { nanosleep(&moment, nullptr); });
}

}  // namespace gasnet::udp
