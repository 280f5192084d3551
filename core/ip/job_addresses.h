// The addresses by which the hosts of this job reach each other. All hosts
// exchange listings of their addresses, and all make the same choice.
#ifndef CORE_IP_JOB_ADDRESSES_H_
#define CORE_IP_JOB_ADDRESSES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "core/ip/address_choice.h"
#include "core/ip/host_listing.h"
#include "core/ip/interfaces.h"
#include "job/job.h"

namespace gasnet::ip {

// Reads GASNET_MASTERIP and GASNET_WORKERIP. Ends the job with a message if one
// of them has an invalid value.
AddressWishes AddressWishesFromEnvironment();

// The listings and the chosen interfaces, both indexed by host.
struct JobAddresses {
  std::vector<HostListing> hosts;
  std::vector<HostInterface> chosen;
};

// Chooses the job's addresses. Collective; fails on all ranks if it fails on
// one.
absl::StatusOr<JobAddresses> ChooseJobAddresses(job::Job& job,
                                                const AddressWishes& wishes);

}  // namespace gasnet::ip

#endif  // CORE_IP_JOB_ADDRESSES_H_
