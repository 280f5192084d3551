#include "core/ip/job_addresses.h"

#include <string>
#include <utility>

#include "base/env.h"
#include "base/log.h"
#include "job/shared_failure.h"

namespace gasnet::ip {
namespace {

std::string SelectionOf(const char* name) {
  const char* const text = EnvText(name, "");
  if (!IsSelection(text)) {
    Fatal(
        "%s is '%s'; accepted are an address, a network (192.0.2.0/24, "
        "2001:db8::/64) and the name of an interface",
        name, text);
  }
  return text;
}

}  // namespace

AddressWishes AddressWishesFromEnvironment() {
  return {SelectionOf("GASNET_MASTERIP"), SelectionOf("GASNET_WORKERIP")};
}

absl::StatusOr<JobAddresses> ChooseJobAddresses(job::Job& job,
                                                const AddressWishes& wishes) {
  absl::StatusOr<std::vector<HostListing>> hosts = GatherListings(job);
  if (!hosts.ok()) return hosts.status();
  absl::StatusOr<std::vector<HostInterface>> chosen =
      ChooseInterfaces(*hosts, wishes);
  if (!chosen.ok()) {
    return job::ReportOnce(job, "gasnet_init", chosen.status());
  }
  return JobAddresses{*std::move(hosts), *std::move(chosen)};
}

}  // namespace gasnet::ip
