#include "core/ip/common_networks.h"

#include <string>

#include "absl/container/flat_hash_map.h"

namespace gasnet::ip {
namespace {

// Searches host by host, and drops a network once a host is not in it.
class Search {
 public:
  Search(const std::vector<HostListing>& hosts, const Candidates& candidates)
      : hosts_(hosts), candidates_(candidates) {}

  std::vector<CommonNetwork> Run() {
    for (size_t host = 0; host < hosts_.size(); ++host) {
      for (const HostInterface& interface : hosts_[host].interfaces) {
        // An address without a mask belongs to no network.
        if (interface.prefix_bits == 0 || !candidates_.Leads(interface)) {
          continue;
        }
        Add(host, interface);
      }
    }
    std::vector<CommonNetwork> common;
    for (CommonNetwork& network : found_) {
      if (network.chosen.size() == hosts_.size()) common.push_back(network);
    }
    return common;
  }

 private:
  void Add(size_t host, const HostInterface& interface) {
    const std::string prefix = interface.address.Prefix(interface.prefix_bits);
    if (host == 0 && by_prefix_.emplace(prefix, found_.size()).second) {
      found_.emplace_back();
    }
    const auto at = by_prefix_.find(prefix);
    if (at == by_prefix_.end()) return;
    CommonNetwork& network = found_[at->second];
    const bool is_reached = candidates_.IsReached(host, interface);
    if (network.chosen.size() == host) {
      network.chosen.push_back(&interface);
      network.reached += is_reached;
    } else if (network.chosen.size() == host + 1 && is_reached &&
               !candidates_.IsReached(host, *network.chosen[host])) {
      network.chosen[host] = &interface;
      ++network.reached;
    }
  }

  const std::vector<HostListing>& hosts_;
  const Candidates& candidates_;
  absl::flat_hash_map<std::string, size_t> by_prefix_;  // index in found_
  std::vector<CommonNetwork> found_;
};

}  // namespace

std::vector<CommonNetwork> CommonNetworks(const std::vector<HostListing>& hosts,
                                          const Candidates& candidates) {
  return Search(hosts, candidates).Run();
}

}  // namespace gasnet::ip
