#include "job/launch/job_hosts.h"

#include "absl/strings/str_cat.h"

namespace gasnet::job {

std::string JobHosts::Name(uint32_t rank) const {
  const std::string& host = Of(rank).name();
  if (pids_[rank] == 0) return absl::StrCat("rank ", rank, " (", host, ")");
  return absl::StrCat("rank ", rank, " (", host, ", pid ", pids_[rank], ")");
}

void JobHosts::SendToAll(std::string frame) const {
  const auto shared = std::make_shared<const std::string>(std::move(frame));
  for (const auto& host : hosts_) host->SendToAll(shared);
}

}  // namespace gasnet::job
