#include "portals/job/hand_over.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "base/asymmetric_fence.h"
#include "base/clock.h"
#include "base/env.h"
#include "base/log.h"
#include "core/datagram/ciphers.h"
#include "core/ip/job_addresses.h"
#include "portals/api/given_job.h"
#include "portals/datagram/transport.h"
#include "portals/memory/region.h"
#include "portals/tuning.h"

namespace gasnet::portals4 {
namespace {

DatagramTransport* transport = nullptr;

// Returns a name of the job. The name is the same on all ranks, and unknown to
// outsiders. It is a hash of the key, so it does not reveal the key.
uint64_t NameOf(const datagram::Seal::Key& key) {
  std::array<unsigned char, crypto_generichash_BYTES_MIN> hash;
  datagram::GetCiphers().hash(hash.data(), hash.size(), key.data(), key.size(),
                              nullptr, 0);
  uint64_t name;
  std::memcpy(&name, hash.data(), sizeof name);
  return std::max<uint64_t>(name, 1);
}

// Returns the silence limit. If the job reports ends of ranks, the default is a
// day. That is no limit in practice: a rank may be stopped for long, for
// instance in a debugger.
int64_t SilenceLimit(bool ends_are_told) {
  const int64_t by_default =
      ends_are_told ? kSecondsPerDay : kSilenceLimit / kNanosPerSecond;
  return kNanosPerSecond *
         EnvInt("PORTALS4_SILENCE_LIMIT", by_default, 1, kSecondsPerDay);
}

void StartTransport(PortalsMembership membership, const GivenJob& job) {
  AsymmetricFence::Register();
  const bool ends_are_told = static_cast<bool>(membership.has_left);
  transport = new DatagramTransport(
      std::move(membership.socket),
      {.me = job.rank,
       .nid = job.nid(),
       .silence_limit = SilenceLimit(ends_are_told),
       .has_left = std::move(membership.has_left),
       .faults = datagram::FaultsFromEnvironment("PORTALS4_DATAGRAM_FAULTS")});
  const absl::Status started = transport->Start();
  if (!started.ok()) {
    Fatal("Portals between hosts: %s", std::string(started.message()).c_str());
  }
}

// Returns a random key, for a job of one rank. Such a job has no key of its
// own.
datagram::Seal::Key AnyKey() {
  datagram::Seal::Key key;
  if (getrandom(key.data(), key.size(), 0) !=
      static_cast<ssize_t>(key.size())) {
    Fatal("Portals: the system has no random numbers");
  }
  return key;
}

}  // namespace

bool NeedsSocket(std::span<const uint32_t> host_of) {
  switch (TransportFromEnvironment()) {
    case Transport::kMemory:
      return false;
    case Transport::kDatagram:
      return host_of.size() > 1;
    default:
      return std::any_of(host_of.begin(), host_of.end(),
                         [](uint32_t host) { return host != 0; });
  }
}

void HandOver(PortalsMembership membership) {
  if (GetJob() != nullptr) {
    Fatal("Portals: a job has been handed over already");
  }
  auto* const job = new GivenJob();
  job->rank = membership.rank;
  job->host_of = std::move(membership.host_of);
  job->name = NameOf(membership.socket.key);
  job->transport = TransportFromEnvironment();
  if (membership.socket.socket.valid() &&
      job->transport != Transport::kMemory) {
    StartTransport(std::move(membership), *job);
    job->carrier = transport;
  }
  SetJob(job);
}

absl::Status HandOver(job::Job& job) {
  PortalsMembership membership;
  membership.rank = job.rank();
  membership.host_of.assign(job.host_of().begin(), job.host_of().end());
  membership.has_left = [&job](uint32_t rank) { return job.HasLeft(rank); };
  if (NeedsSocket(job.host_of())) {
    const absl::StatusOr<ip::JobAddresses> addresses =
        ip::ChooseJobAddresses(job, ip::AddressWishesFromEnvironment());
    if (!addresses.ok()) return addresses.status();
    absl::StatusOr<datagram::JobSocket> socket =
        datagram::OpenJobSocket(job, *addresses, "gasnet_init");
    if (!socket.ok()) return socket.status();
    membership.socket = *std::move(socket);
  } else if (job.size() > 1) {
    job.key().copy(reinterpret_cast<char*>(membership.socket.key.data()),
                   membership.socket.key.size());
  } else {
    membership.socket.key = AnyKey();
  }
  HandOver(std::move(membership));
  return absl::OkStatus();
}

void TakeBack() {
  const GivenJob* const job = GetJob();
  SetJob(nullptr);
  delete std::exchange(transport, nullptr);
  delete job;
  UnmapLeft();
}

bool HasArrived() { return transport == nullptr || transport->HasArrived(); }

}  // namespace gasnet::portals4
