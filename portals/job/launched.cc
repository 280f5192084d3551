#include "portals/job/launched.h"

#include <sys/random.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/env_parse.h"
#include "base/log.h"
#include "base/own_env.h"
#include "core/datagram/job_socket.h"
#include "core/ip/host_listing.h"
#include "core/ip/job_addresses.h"
#include "portals/api/given_job.h"
#include "portals/job/hand_over.h"
#include "portals/job/pmi1.h"

namespace gasnet::portals4 {
namespace {

using datagram::SocketContact;

bool IsWanted() {
  const char* const text = OwnEnv("PORTALS4_JOB");
  if (text == nullptr) {
    return TransportFromEnvironment() == Transport::kDatagram &&
           Pmi1::IsOffered();
  }
  if (std::string_view(text) == "none") return false;
  if (std::string_view(text) == "pmi") return true;
  Fatal("PORTALS4_JOB is '%s'; accepted: pmi, none", text);
}

template <class T>
T Require(absl::StatusOr<T> result) {
  if (!result.ok()) {
    Fatal("PtlInit: %s", std::string(result.status().message()).c_str());
  }
  return *std::move(result);
}

// Returns a description of this process: a random key, and the addresses of the
// process's host. The job uses rank 0's key.
std::string DescribeThisProcess() {
  datagram::Seal::Key key;
  if (getrandom(key.data(), key.size(), 0) !=
      static_cast<ssize_t>(key.size())) {
    Fatal("PtlInit: the system has no random numbers");
  }
  size_t left_out = 0;
  return std::string(key.begin(), key.end()) +
         ip::EncodeListing(Require(ip::ListThisHost({})), left_out);
}

// The hosts of a job. A host's number follows the order of the hosts' first
// ranks.
struct Hosts {
  std::vector<uint32_t> of;  // the host of each rank, indexed by rank
  std::vector<ip::HostListing> listings;
};

Hosts HostsOf(const std::vector<std::string>& descriptions) {
  Hosts hosts;
  std::map<std::string, uint32_t> numbers;
  for (const std::string& description : descriptions) {
    const size_t start =
        std::min(sizeof(datagram::Seal::Key), description.size());
    std::optional<ip::HostListing> listing =
        ip::DecodeListing(std::string_view(description).substr(start));
    if (!listing)
      Fatal("PtlInit: a rank lists its addresses in an unknown format");
    // Ranks with the same network stack share a host. If the stack of a rank is
    // unknown, the rank's host name is used instead.
    const std::string& name =
        listing->stack.empty() ? listing->name : listing->stack;
    const auto number =
        numbers.emplace(name, static_cast<uint32_t>(numbers.size())).first;
    if (number->second == hosts.listings.size()) {
      hosts.listings.push_back(*std::move(listing));
    }
    hosts.of.push_back(number->second);
  }
  return hosts;
}

datagram::JobSocket OpenSocket(Pmi1& pmi, const Hosts& hosts) {
  const std::vector<ip::HostInterface> chosen = Require(
      ip::ChooseInterfaces(hosts.listings, ip::AddressWishesFromEnvironment()));
  SocketContact mine = {};
  UniqueFd socket =
      Require(datagram::OpenContact(chosen[hosts.of[pmi.rank()]], mine));
  const std::vector<std::string> all = Require(
      pmi.AllGather({reinterpret_cast<const char*>(&mine), sizeof mine}));
  std::vector<SocketContact> contacts(all.size());
  for (size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].size() != sizeof mine) {
      Fatal("PtlInit: rank %zu has another version of this library", rank);
    }
    std::memcpy(&contacts[rank], all[rank].data(), sizeof mine);
  }
  datagram::JobSocket made = datagram::AgreeOnSocket(chosen, contacts);
  made.socket = std::move(socket);
  return made;
}

void FindJob() {
  if (!Pmi1::IsOffered()) {
    Fatal(
        "PtlInit: PORTALS4_JOB is 'pmi', but no launcher offers PMI to this "
        "process (PMI_FD, PMI_RANK and PMI_SIZE are not set); accepted without "
        "one: none");
  }
  Pmi1 pmi = Require(Pmi1::Connect());
  const std::vector<std::string> descriptions =
      Require(pmi.AllGather(DescribeThisProcess()));
  const Hosts hosts = HostsOf(descriptions);
  PortalsMembership membership;
  membership.rank = pmi.rank();
  membership.host_of = hosts.of;
  if (NeedsSocket(hosts.of)) membership.socket = OpenSocket(pmi, hosts);
  std::memcpy(membership.socket.key.data(), descriptions.front().data(),
              membership.socket.key.size());
  HandOver(std::move(membership));
}

}  // namespace

void FindLaunchedJob() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (GetJob() == nullptr && IsWanted()) FindJob();
  });
}

}  // namespace gasnet::portals4
