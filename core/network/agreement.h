// The agreement of all ranks of a job when each has started its network.
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
  uint64_t max_medium = 0;  // 0: its start has failed
  // Of its network namespace; both 0: unknown.
  uint64_t device = 0;
  uint64_t inode = 0;

  bool HasNamespace() const { return inode != 0; }
  bool SharesNamespace(const Offer& other) const {
    return device == other.device && inode == other.inode;
  }
};

struct Agreed {
  size_t max_medium = 0;  // the least of all ranks'
  // Whether the ranks of my group are in one network namespace, so that their
  // sockets reach each other.
  bool one_namespace = false;
};

// Combines the offers of all, none of which has failed. group: the ranks that
// share memory with mine.
Agreed Combine(std::span<const Offer> offers, std::span<const Rank> group,
               const Offer& mine);

// Collective. started: how the caller's start went; what failed on one rank is
// reported there, and fails on all.
absl::StatusOr<Agreed> Agree(job::Job& job, std::span<const Rank> group,
                             const absl::Status& started, size_t max_medium);

}  // namespace gasnet::network

#endif  // CORE_NETWORK_AGREEMENT_H_
