#include "core/ip/candidates.h"

#include "absl/container/flat_hash_map.h"

namespace gasnet::ip {
namespace {

// Returns a key that is equal for hosts that are one machine. A host with an
// unknown stack is a machine of its own.
std::string StackKey(const HostListing& host, size_t number) {
  if (host.stack.empty()) return "?" + std::to_string(number);
  std::string key = host.stack;
  for (const HostInterface& interface : host.interfaces) {
    key += '|';
    key += interface.Name();
    key += interface.address.bytes();
  }
  return key;
}

}  // namespace

Candidates::Candidates(const std::vector<HostListing>& hosts) : hosts_(hosts) {
  absl::flat_hash_map<std::string, size_t> stacks;
  for (size_t host = 0; host < hosts.size(); ++host) {
    const size_t stack =
        stacks.emplace(StackKey(hosts[host], host), stacks.size())
            .first->second;
    for (const HostInterface& interface : hosts[host].interfaces) {
      const std::string key = Key(interface.address);
      const auto [owner, is_new] = owner_.emplace(key, stack);
      if (!is_new && owner->second != stack) repeated_.insert(key);
    }
    if (hosts[host].reached_from) {
      reached_from_.insert(Key(*hosts[host].reached_from));
    }
  }
  stacks_ = stacks.size();
}

std::string Candidates::Key(const Address& address) {
  return std::string(address.bytes());
}

bool Candidates::IsRepeated(const HostInterface& interface) const {
  return repeated_.contains(Key(interface.address));
}

bool Candidates::Leads(const HostInterface& interface) const {
  const Address& address = interface.address;
  return !address.IsLoopback() && !address.IsLinkLocal() &&
         !IsRepeated(interface);
}

bool Candidates::IsReached(size_t host, const HostInterface& interface) const {
  const auto& at = hosts_[host].reached_at;
  return (at && at->SameHost(interface.address)) ||
         reached_from_.contains(Key(interface.address));
}

}  // namespace gasnet::ip
