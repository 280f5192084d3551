// The agreement of all ranks of a job after each has started its network.
#ifndef CORE_NETWORK_AGREEMENT_H_
#define CORE_NETWORK_AGREEMENT_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/am/message.h"
#include "job/job.h"

namespace gasnet::network {

// A rank's offer to the others.
struct Offer {
  uint64_t max_medium = 0;  // 0 if its start has failed
  // Its network namespace; both 0 if unknown.
  uint64_t device = 0;
  uint64_t inode = 0;

  bool HasNamespace() const { return inode != 0; }
  bool SharesNamespace(const Offer& other) const {
    return device == other.device && inode == other.inode;
  }
};

struct Agreed {
  size_t max_medium = 0;  // the least of all ranks'
  // The ranks of this rank's group are in one network namespace, so that their
  // sockets reach each other.
  bool one_namespace = false;
};

// Combines the offers of all ranks, none of which has failed. group: the ranks
// that share memory with this one.
Agreed Combine(std::span<const Offer> offers, std::span<const Rank> group,
               const Offer& mine);

// Collective. started: the outcome of the caller's start. A failure on one rank
// is reported there, and makes all ranks fail.
absl::StatusOr<Agreed> Agree(job::Job& job, std::span<const Rank> group,
                             const absl::Status& started, size_t max_medium);

}  // namespace gasnet::network

#endif  // CORE_NETWORK_AGREEMENT_H_
