// What all ranks of a job agree on when each has started its network.
#ifndef CORE_NETWORK_AGREEMENT_H_
#define CORE_NETWORK_AGREEMENT_H_

#include <cstddef>
#include <span>

#include "base/status.h"
#include "core/am/message.h"
#include "job/job.h"

namespace gasnet::network {

struct Agreed {
  size_t max_medium = 0;  // the least of all ranks'
  // Whether the ranks of my group are in one network namespace, so that their
  // sockets reach each other.
  bool one_namespace = false;
};

// Collective. started: how the caller's start went; what failed on one rank is
// told there, and fails on all. group: the ranks that share memory with mine.
StatusOr<Agreed> Agree(job::Job& job, std::span<const Rank> group,
                       const Status& started, size_t max_medium);

}  // namespace gasnet::network

#endif  // CORE_NETWORK_AGREEMENT_H_
