#include "core/ip/address_choice.h"

#include <sys/socket.h>

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/ip/candidates.h"
#include "core/ip/common_networks.h"
#include "core/ip/tuning.h"

namespace gasnet::ip {
namespace {

using Hosts = std::vector<HostListing>;
using Chosen = std::vector<HostInterface>;

// Returns the first interface of a host for which `fits` is true.
template <class Fits>
const HostInterface* Find(const HostListing& host, Fits fits) {
  const auto found =
      std::find_if(host.interfaces.begin(), host.interfaces.end(), fits);
  return found == host.interfaces.end() ? nullptr : &*found;
}

// Returns one interface of each host, found by find(host index). Returns
// nothing if find() finds none on some host.
template <class FindOn>
Chosen OneOfEach(const Hosts& hosts, FindOn find) {
  Chosen chosen;
  for (size_t host = 0; host < hosts.size(); ++host) {
    const HostInterface* const found = find(host);
    if (found == nullptr) return {};
    chosen.push_back(*found);
  }
  return chosen;
}

Chosen In(const CommonNetwork& network) {
  Chosen chosen;
  for (const HostInterface* const interface : network.chosen) {
    chosen.push_back(*interface);
  }
  return chosen;
}

std::string Name(const Hosts& hosts, size_t host) {
  if (hosts[host].name.empty()) return absl::StrCat("host ", host);
  return absl::StrCat("host ", host, " (", hosts[host].name, ")");
}

std::string List(const HostListing& host) {
  std::string text;
  for (const HostInterface& interface : host.interfaces) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", interface.name.data(), " ",
                    interface.address.ToString(), "/",
                    static_cast<int>(interface.prefix_bits));
  }
  return text.empty() ? "nothing" : text;
}

absl::Status NothingInCommon(const Hosts& hosts) {
  std::string all;
  for (size_t host = 0; host < std::min(hosts.size(), kHostsListed); ++host) {
    absl::StrAppend(&all, "; ", Name(hosts, host), " has ", List(hosts[host]));
  }
  if (hosts.size() > kHostsListed) {
    absl::StrAppend(&all, "; and ", hosts.size() - kHostsListed, " more hosts");
  }
  return absl::FailedPreconditionError(
      absl::StrCat("the hosts of this job have no network in common", all,
                   " (GASNET_WORKERIP chooses one)"));
}

// Returns addresses of one family by which all hosts were reached. Returns
// nothing if a host was reached by no address of the family.
Chosen AllReached(const Hosts& hosts, const Candidates& candidates,
                  sa_family_t family) {
  return OneOfEach(hosts, [&](size_t host) {
    return Find(hosts[host], [&](const HostInterface& interface) {
      return interface.address.family() == family &&
             candidates.Leads(interface) &&
             candidates.IsReached(host, interface);
    });
  });
}

// Returns for each host the address of a family by which it was reached, else
// its first address of the family.
Chosen FirstOfFamily(const Hosts& hosts, const Candidates& candidates,
                     sa_family_t family) {
  return OneOfEach(hosts, [&](size_t host) {
    const auto is_good = [&](const HostInterface& interface) {
      return interface.address.family() == family &&
             candidates.Leads(interface);
    };
    const HostInterface* const reached =
        Find(hosts[host], [&](const HostInterface& interface) {
          return is_good(interface) && candidates.IsReached(host, interface);
        });
    return reached != nullptr ? reached : Find(hosts[host], is_good);
  });
}

absl::StatusOr<Chosen> ChooseFreely(const Hosts& hosts,
                                    const Candidates& candidates) {
  const std::vector<CommonNetwork> networks = CommonNetworks(hosts, candidates);
  const auto best = std::max_element(
      networks.begin(), networks.end(),
      [](const auto& a, const auto& b) { return a.reached < b.reached; });
  const bool has_network = best != networks.end();
  if (has_network && best->reached == hosts.size()) return In(*best);
  for (const sa_family_t family : {AF_INET, AF_INET6}) {
    Chosen chosen = AllReached(hosts, candidates, family);
    if (!chosen.empty()) return chosen;
  }
  if (has_network) return In(*best);
  for (const sa_family_t family : {AF_INET, AF_INET6}) {
    Chosen chosen = FirstOfFamily(hosts, candidates, family);
    if (!chosen.empty()) return chosen;
  }
  return NothingInCommon(hosts);
}

// The user's wish that selects a host's address, and the variable that states
// it.
struct AddressWish {
  const char* variable;
  const std::string& text;
};

AddressWish WishFor(size_t host, const AddressWishes& wishes) {
  if (host == 0 && !wishes.master.empty()) {
    return {"GASNET_MASTERIP", wishes.master};
  }
  return {"GASNET_WORKERIP", wishes.worker};
}

absl::Status CannotBe(const AddressWish& wish, const std::string& why) {
  return absl::FailedPreconditionError(
      absl::StrCat(wish.variable, " is '", wish.text, "': ", why));
}

// Chooses addresses of one family, since different families cannot communicate.
// The error names a host without a suitable address.
absl::StatusOr<Chosen> ChooseOfFamily(const Hosts& hosts,
                                      const Candidates& candidates,
                                      const AddressWishes& wishes,
                                      sa_family_t family) {
  Chosen chosen;
  for (size_t host = 0; host < hosts.size(); ++host) {
    const AddressWish wish = WishFor(host, wishes);
    const HostInterface* const found =
        Find(hosts[host], [&](const HostInterface& i) {
          return i.address.family() == family && Selects(wish.text, i);
        });
    if (found == nullptr) {
      return CannotBe(wish,
                      absl::StrCat(Name(hosts, host), " has no such ",
                                   family == AF_INET ? "IPv4" : "IPv6",
                                   " address; it has ", List(hosts[host])));
    }
    if (candidates.IsRepeated(*found)) {
      return CannotBe(
          wish,
          absl::StrCat(found->address.ToString(), " of ", Name(hosts, host),
                       " is an address of another host as well, so "
                       "neither reaches the other by it; it has ",
                       List(hosts[host])));
    }
    chosen.push_back(*found);
  }
  return chosen;
}

absl::StatusOr<Chosen> ChooseAsWished(const Hosts& hosts,
                                      const Candidates& candidates,
                                      const AddressWishes& wishes) {
  absl::StatusOr<Chosen> v4 =
      ChooseOfFamily(hosts, candidates, wishes, AF_INET);
  if (v4.ok()) return v4;
  absl::StatusOr<Chosen> v6 =
      ChooseOfFamily(hosts, candidates, wishes, AF_INET6);
  if (v6.ok()) return v6;
  // Reports the error about the family that the user probably means.
  const std::string& first = WishFor(0, wishes).text;
  return first.find(':') == std::string::npos ? v4 : v6;
}

// Chooses host 0's address as the user wished, and addresses in the same
// network for the other hosts.
absl::StatusOr<Chosen> FollowMaster(const Hosts& hosts,
                                    const Candidates& candidates,
                                    const AddressWishes& wishes) {
  absl::StatusOr<Chosen> master =
      ChooseAsWished({hosts[0]}, candidates, wishes);
  if (!master.ok() || hosts.size() == 1) return master;
  const HostInterface& first = master->front();
  for (const CommonNetwork& network : CommonNetworks(hosts, candidates)) {
    const HostInterface& there = *network.chosen[0];
    if (there.address.Prefix(there.prefix_bits) !=
        first.address.Prefix(first.prefix_bits)) {
      continue;
    }
    Chosen chosen = In(network);
    chosen[0] = first;
    return chosen;
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "GASNET_MASTERIP is '", wishes.master,
      "': not every host has an address in that network (GASNET_WORKERIP "
      "chooses their addresses)"));
}

}  // namespace

absl::StatusOr<Chosen> ChooseInterfaces(const Hosts& hosts,
                                        const AddressWishes& wishes) {
  const Candidates candidates(hosts);
  if (!wishes.worker.empty()) return ChooseAsWished(hosts, candidates, wishes);
  if (!wishes.master.empty()) return FollowMaster(hosts, candidates, wishes);
  if (candidates.OneMachine()) {
    Chosen chosen = OneOfEach(hosts, [&](size_t host) {
      return Find(hosts[host], [](const HostInterface& i) {
        return i.address.IsLoopback();
      });
    });
    if (!chosen.empty()) return chosen;
  }
  return ChooseFreely(hosts, candidates);
}

}  // namespace gasnet::ip
