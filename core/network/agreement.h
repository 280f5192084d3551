// The agreement of all ranks of a job on its network. Each rank has started the
// network on its side before.
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

// A rank's offer to the other ranks.
struct Offer {
  uint64_t max_medium = 0;  // 0 if this rank's network failed to start
  // The rank's network namespace; both fields are 0 if it is unknown.
  uint64_t device = 0;
  uint64_t inode = 0;

  bool HasNamespace() const { return inode != 0; }
  bool SharesNamespace(const Offer& other) const {
    return device == other.device && inode == other.inode;
  }
};

struct Agreed {
  size_t max_medium = 0;  // the smallest of all ranks
  // True if the ranks of this rank's group are in one network namespace, so
  // that their sockets can reach each other.
  bool one_namespace = false;
};

// Combines the offers of all ranks. The networks of all ranks have started.
// group: the ranks that share memory with this one.
Agreed Combine(std::span<const Offer> offers, std::span<const Rank> group,
               const Offer& mine);

// Exchanges the offers of all ranks. Collective. started: the outcome of the
// caller's start. If a rank's start failed, that rank reports the failure, and
// all ranks fail.
absl::StatusOr<Agreed> Agree(job::Job& job, std::span<const Rank> group,
                             const absl::Status& started, size_t max_medium);

}  // namespace gasnet::network

#endif  // CORE_NETWORK_AGREEMENT_H_
