#include "core/datagram/job_socket.h"

#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "base/log.h"
#include "core/datagram/ciphers.h"
#include "core/datagram/port.h"
#include "core/datagram/tuning.h"
#include "core/ip/interfaces.h"
#include "core/ip/socket.h"
#include "core/rank.h"
#include "job/gather.h"
#include "job/shared_failure.h"
#include "job/wire/secret.h"

namespace gasnet::datagram {
namespace {

constexpr size_t kIpv4Headers = 28;
constexpr size_t kIpv6Headers = 48;

static_assert(std::is_trivially_copyable_v<SocketContact>);

// Returns the size of the largest datagram that every host's interface sends
// without cutting it.
size_t LargestDatagram(const std::vector<ip::HostInterface>& chosen,
                       const std::vector<SocketContact>& contacts) {
  uint64_t buffer = kManyDatagrams * kLoopbackDatagram;
  for (const SocketContact& contact : contacts) {
    buffer = std::min(buffer, contact.receive_buffer);
  }
  size_t largest =
      std::max<size_t>(kLoopbackDatagramOfFew, buffer / kManyDatagrams);
  for (const ip::HostInterface& interface : chosen) {
    const size_t headers =
        interface.address.family() == AF_INET ? kIpv4Headers : kIpv6Headers;
    if (interface.mtu < kMinDatagram + headers) return kMinDatagram;
    largest = std::min<size_t>(largest, interface.mtu - headers);
  }
  return largest / kDatagramAlignment * kDatagramAlignment;
}

// Opens this rank's socket and sends its contact to all ranks. Returns the
// contacts of all ranks.
absl::StatusOr<std::vector<SocketContact>> ExchangeContacts(
    job::Job& job, const ip::HostInterface& interface, const char* call,
    UniqueFd& socket) {
  SocketContact mine = {};
  absl::StatusOr<UniqueFd> opened = OpenContact(interface, mine);
  std::vector<SocketContact> all = job::Gather(job, mine);
  for (Rank rank = 0; rank < job.size(); ++rank) {
    if (all[rank].ok != 0) continue;
    return job::ReportFirst(job, call, rank, opened.status(),
                            "could not open its UDP socket");
  }
  socket = *std::move(opened);
  return all;
}

// Returns a key for this life of the job only. A restarted job counts its
// packets from the beginning again, so it needs a new key.
Seal::Key KeyOf(const job::Job& job) {
  Seal::Key key;
  static_assert(sizeof key == job::Secret::kKeyBytes);
  const uint32_t life = job.life();
  GetCiphers().hash(key.data(), key.size(),
                    reinterpret_cast<const unsigned char*>(&life), sizeof life,
                    reinterpret_cast<const unsigned char*>(job.key().data()),
                    job.key().size());
  return key;
}

// Returns a cipher that the processors of all ranks support.
Cipher CommonCipher(const std::vector<SocketContact>& all) {
  for (const SocketContact& contact : all) {
    if (contact.has_aes == 0) return Cipher::kChaCha20Poly1305;
  }
  return Cipher::kAes256Gcm;
}

// Descriptors that further sockets leave to the network and to the client. The
// number is a limit, not tuning.
class SpareDescriptors {
 public:
  SpareDescriptors() {
    for (UniqueFd& descriptor : all_) {
      descriptor = UniqueFd(eventfd(0, EFD_CLOEXEC));
    }
  }

 private:
  std::array<UniqueFd, 6> all_;
};

// The ports of a rank's further sockets. Trivially copyable.
struct RailPorts {
  uint32_t count = 0;
  std::array<uint16_t, kMaxSockets - 1> ports{};
};

}  // namespace

absl::StatusOr<UniqueFd> OpenContact(const ip::HostInterface& interface,
                                     SocketContact& mine) {
  mine.address = interface.address;
  absl::StatusOr<UniqueFd> opened = ip::OpenUdpSocket(mine.address);
  mine.ok = opened.ok();
  if (opened.ok()) mine.receive_buffer = ip::ReceiveBuffer(opened->get());
  mine.has_aes = Seal::HasAes();
  return opened;
}

JobSocket AgreeOnSocket(const std::vector<ip::HostInterface>& chosen,
                        const std::vector<SocketContact>& contacts) {
  JobSocket made;
  for (const SocketContact& contact : contacts) {
    made.peers.push_back(contact.address);
  }
  made.loopback = chosen.front().address.IsLoopback();
  made.max_datagram = LargestDatagram(chosen, contacts);
  made.cipher = CommonCipher(contacts);
  return made;
}

absl::StatusOr<JobSocket> OpenJobSocket(job::Job& job,
                                        const ip::JobAddresses& addresses,
                                        const char* call) {
  const std::vector<ip::HostInterface>& chosen = addresses.chosen;
  UniqueFd socket;
  const absl::StatusOr<std::vector<SocketContact>> contacts =
      ExchangeContacts(job, chosen[job.host_of()[job.rank()]], call, socket);
  if (!contacts.ok()) return contacts.status();
  JobSocket made = AgreeOnSocket(chosen, *contacts);
  made.socket = std::move(socket);
  made.key = KeyOf(job);
  return made;
}

std::vector<RailSocket> OpenRailSockets(job::Job& job,
                                        const std::vector<ip::Address>& first,
                                        unsigned wished) {
  RailPorts mine;
  std::vector<RailSocket> made;
  {
    const SpareDescriptors spare;
    const size_t most = std::min<size_t>(wished, mine.ports.size());
    while (mine.count < most) {
      ip::Address address = first[job.rank()];
      address.SetPort(0);
      absl::StatusOr<UniqueFd> socket = ip::OpenUdpSocket(address);
      if (!socket.ok()) {
        Warn("threads share %u of %zu UDP sockets: %s", mine.count + 1,
             most + 1, std::string(socket.status().message()).c_str());
        break;
      }
      mine.ports[mine.count++] = address.port();
      made.push_back({*std::move(socket), first});
    }
  }
  const std::vector<RailPorts> all = job::Gather(job, mine);
  for (const RailPorts& ports : all) {
    if (ports.count < made.size()) made.resize(ports.count);
  }
  for (size_t rail = 0; rail < made.size(); ++rail) {
    for (Rank rank = 0; rank < job.size(); ++rank) {
      made[rail].peers[rank].SetPort(all[rank].ports[rail]);
    }
  }
  return made;
}

}  // namespace gasnet::datagram
