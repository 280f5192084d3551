// This rank's neighbourhood and host. The neighbourhood is the ranks with which
// this rank shares memory through the library. The host is the ranks on its
// machine. Both are constant for the job.
#ifndef EX_NEIGHBOURS_H_
#define EX_NEIGHBOURS_H_

#include <vector>

#include "gasnet/ex_types.h"

namespace gasnet::ex {

class Neighbours {
 public:
  // A set of ranks, in increasing order.
  struct Group {
    std::vector<gasneti_rank_info> ranks;
    gex_Rank_t my_index = 0;
    gex_Rank_t groups = 0;    // number of groups in the job
    gex_Rank_t my_group = 0;  // groups are numbered from 0
  };

  // Reads the neighbourhood and the host from this process's runtime.
  Neighbours();

  const Group& neighbourhood() const { return neighbourhood_; }
  const Group& host() const { return host_; }

 private:
  Group neighbourhood_;
  Group host_;
};

}  // namespace gasnet::ex

#endif  // EX_NEIGHBOURS_H_
