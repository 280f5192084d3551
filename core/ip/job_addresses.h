// By which of its addresses each host of this job talks to the others: all
// hosts exchange lists of what they have, and all choose the same.
#ifndef CORE_IP_JOB_ADDRESSES_H_
#define CORE_IP_JOB_ADDRESSES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "core/ip/address_choice.h"
#include "core/ip/host_listing.h"
#include "core/ip/interfaces.h"
#include "job/job.h"

namespace gasnet::ip {

// GASNET_MASTERIP and GASNET_WORKERIP; ends the job with a message where one
// has a value that it cannot have.
AddressWishes AddressWishesFromEnvironment();

// Both by host.
struct JobAddresses {
  std::vector<HostListing> hosts;
  std::vector<Interface> chosen;
};

// Collective; fails on all ranks when it fails on one.
absl::StatusOr<JobAddresses> ChooseJobAddresses(job::Job& job,
                                                const AddressWishes& wishes);

}  // namespace gasnet::ip

#endif  // CORE_IP_JOB_ADDRESSES_H_
