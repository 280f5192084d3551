// The ranks of the job and their hosts, as announced by the launcher.
#ifndef JOB_MEMBERSHIP_H_
#define JOB_MEMBERSHIP_H_

#include <cstdint>
#include <vector>

#include "job/wire/reached.h"

namespace gasnet::job {

struct Membership {
  uint32_t rank = 0;
  // The host of every rank. Hosts are numbered densely from 0, in the order of
  // their first rank.
  std::vector<uint32_t> host_of = {0};
  // The number of CPUs that the ranks of this host may use together. Each rank
  // may be bound to fewer CPUs.
  uint32_t host_cpus = 1;
  // The addresses by which an agent reached this host. Each host knows only its
  // own addresses.
  Reached reached = {};

  uint32_t size() const { return host_of.size(); }

  // Return the index of `rank` among the ranks of its host, and the number of
  // ranks on this host.
  uint32_t host_rank() const;
  uint32_t host_size() const;
};

}  // namespace gasnet::job

#endif  // JOB_MEMBERSHIP_H_
