// A conduit's record: its name, and the function that opens its network.
// Conduits differ only in this record and in their network::Network.
// docs/PORTING.md explains how to write a conduit.
#ifndef CORE_RUNTIME_CONDUIT_H_
#define CORE_RUNTIME_CONDUIT_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/network/network.h"
#include "job/job.h"

namespace gasnet {

struct Conduit {
  // The lower-case name that users write, such as "smp".
  const char* name;

  // True if all segments must lie at one address.
  bool aligned_segments = false;

  // Opens the network to the ranks that share no memory with this one.
  // Collective; fails on all ranks if it fails on one. Null if the conduit has
  // no network. Then a job with ranks that share no memory is an error.
  absl::StatusOr<std::unique_ptr<network::Network>> (*open)(job::Job&) =
      nullptr;

  // Returns the conduit that this job uses instead of this one. Set in a
  // library with several conduits. Collective; fails on all ranks if it fails
  // on one. If null, the job uses this conduit.
  absl::StatusOr<const Conduit*> (*choose)(job::Job&) = nullptr;

  // Called before the job first starts, with the arguments of gasnet_init. May
  // be null.
  absl::Status (*before_start)(int* argc, char*** argv) = nullptr;

  // The maximum number of ranks of a host that share memory.
  uint32_t most_near = UINT32_MAX;
};

// Serves as Conduit::open for a network class with a static function Open.
template <class N>
absl::StatusOr<std::unique_ptr<network::Network>> OpenNetwork(job::Job& job) {
  return N::Open(job);
}

}  // namespace gasnet

#endif  // CORE_RUNTIME_CONDUIT_H_
