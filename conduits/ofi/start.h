// Starts the endpoints of a job, one for each rank: reads the settings, chooses
// provider and device, and exchanges addresses.
#ifndef CONDUITS_OFI_START_H_
#define CONDUITS_OFI_START_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "conduits/ofi/endpoint.h"
#include "conduits/ofi/messages.h"
#include "conduits/ofi/settings.h"
#include "core/ip/address.h"
#include "core/ip/job_addresses.h"
#include "job/job.h"

namespace gasnet::ofi {

struct OfiStartup {
  OfiSettings settings;
  ip::JobAddresses addresses;
  std::unique_ptr<OfiEndpoint> endpoint;
  std::vector<std::string> names;  // addresses of all ranks' endpoints
  MessageLimits limits;
  uint32_t cookie;  // of the job
};

// Opens the endpoints. Collective: fails on all ranks if one rank fails.
absl::StatusOr<OfiStartup> StartEndpoints(job::Job& job);

// Returns true if on each rank libfabric has a provider that fits this job and
// does not use the host's IP (choice.h). Collective. Opens nothing.
bool HasOwnNetwork(job::Job& job);

}  // namespace gasnet::ofi

#endif  // CONDUITS_OFI_START_H_
