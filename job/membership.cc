#include "job/membership.h"

#include <algorithm>

namespace gasnet::job {

uint32_t Membership::host_rank() const {
  return std::count(host_of.begin(), host_of.begin() + rank, host_of[rank]);
}

uint32_t Membership::host_size() const {
  return std::count(host_of.begin(), host_of.end(), host_of[rank]);
}

}  // namespace gasnet::job
