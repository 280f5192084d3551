// The names of ranks' hosts in messages to the user: "HOST (ADDRESS)".
#ifndef CORE_IP_HOST_NAMES_H_
#define CORE_IP_HOST_NAMES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/ip/job_addresses.h"

namespace gasnet::ip {

class HostNames {
 public:
  // host_of: the host of each rank; must outlive this object.
  HostNames(std::span<const uint32_t> host_of, uint32_t me,
            const JobAddresses& addresses)
      : host_of_(host_of), me_(me) {
    for (size_t host = 0; host < addresses.hosts.size(); ++host) {
      names_.push_back(absl::StrCat(addresses.hosts[host].name, " (",
                                    addresses.chosen[host].address.ToString(),
                                    ")"));
    }
  }

  const char* Of(uint32_t rank) const { return names_[host_of_[rank]].c_str(); }
  const char* Mine() const { return Of(me_); }

 private:
  const std::span<const uint32_t> host_of_;
  const uint32_t me_;
  std::vector<std::string> names_;
};

}  // namespace gasnet::ip

#endif  // CORE_IP_HOST_NAMES_H_
