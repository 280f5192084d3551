// The addresses of all hosts, indexed by their properties. Built once from the
// listings. The listings outlive this object. Every query is one look-up.
#ifndef CORE_IP_CANDIDATES_H_
#define CORE_IP_CANDIDATES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "core/ip/host_listing.h"
#include "core/ip/interfaces.h"

namespace gasnet::ip {

class Candidates {
 public:
  explicit Candidates(const std::vector<HostListing>& hosts);

  // Returns true if all hosts are one machine.
  bool OneMachine() const { return stacks_ == 1; }
  // Returns true if different machines have the address, so that neither can
  // reach the other by it.
  bool IsRepeated(const HostInterface& interface) const;
  // Returns true if the address can reach its host, judged by its value alone.
  bool Leads(const HostInterface& interface) const;
  // Returns true if `host` was reached by the address.
  bool IsReached(size_t host, const HostInterface& interface) const;

 private:
  static std::string Key(const Address& address);

  const std::vector<HostListing>& hosts_;
  size_t stacks_ = 0;
  // number of the stack that has an address
  absl::flat_hash_map<std::string, size_t> owner_;
  absl::flat_hash_set<std::string> repeated_;  // addresses of several stacks
  absl::flat_hash_set<std::string> reached_from_;
};

}  // namespace gasnet::ip

#endif  // CORE_IP_CANDIDATES_H_
