// The socket of each rank of a job, and the values on which all ranks agree
// before they exchange datagrams: addresses, the largest datagram, the cipher,
// and the key.
#ifndef CORE_DATAGRAM_JOB_SOCKET_H_
#define CORE_DATAGRAM_JOB_SOCKET_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"
#include "core/datagram/seal.h"
#include "core/ip/address.h"
#include "core/ip/job_addresses.h"
#include "job/job.h"

namespace gasnet::datagram {

// A datagram size that every network carries (IPv6 requires 1280 bytes
// including headers).
inline constexpr size_t kMinDatagram = 1200 / 16 * 16;

struct JobSocket {
  UniqueFd socket;
  std::vector<ip::Address> peers;  // by rank, including socket ports
  bool loopback = false;           // all ranks are on this host
  // the largest that every interface sends whole
  size_t max_datagram = kMinDatagram;
  Cipher cipher = Cipher::kChaCha20Poly1305;
  Seal::Key key = {};

  // Returns the size of a datagram that every path carries, for
  // ChannelOptions::sure_datagram. Returns 0 on loopback: every path then
  // carries the largest size.
  size_t sure_datagram() const { return loopback ? 0 : kMinDatagram; }
  Seal MakeSeal() const { return Seal(key, cipher); }
};

// The facts that all ranks exchange about their sockets. Trivially copyable.
struct SocketContact {
  ip::Address address;
  uint64_t receive_buffer;  // bytes
  uint8_t ok;
  uint8_t has_aes;
};

// Opens this rank's socket, and fills in `mine`.
absl::StatusOr<UniqueFd> OpenContact(const ip::HostInterface& interface,
                                     SocketContact& mine);

// Returns the values on which the ranks agree, from the contacts of all ranks.
// `chosen` lists interfaces by host. The result lacks the socket and the key.
JobSocket AgreeOnSocket(const std::vector<ip::HostInterface>& chosen,
                        const std::vector<SocketContact>& contacts);

// Opens the socket of each rank. Collective. Fails on all ranks if it fails on
// one. Error messages name `call`.
absl::StatusOr<JobSocket> OpenJobSocket(job::Job& job,
                                        const ip::JobAddresses& addresses,
                                        const char* call);

// A further socket of each rank of a job.
struct RailSocket {
  UniqueFd socket;
  std::vector<ip::Address> peers;  // by rank, including socket ports
};

// The maximum number of sockets of a rank. A limit, not tuning.
inline constexpr unsigned kMaxSockets = 8;

// Opens further sockets beside that of OpenJobSocket, whose addresses are
// `first`. Collective. Each rank opens `wished` sockets at most, and fewer than
// kMaxSockets. All ranks get the same number: the least that any rank wishes
// and can open.
std::vector<RailSocket> OpenRailSockets(job::Job& job,
                                        const std::vector<ip::Address>& first,
                                        unsigned wished);

}  // namespace gasnet::datagram

#endif  // CORE_DATAGRAM_JOB_SOCKET_H_
