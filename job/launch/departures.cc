#include "job/launch/departures.h"

#include <utility>

#include "job/tuning.h"

namespace gasnet::job {

void Departures::Add(uint32_t rank, bool has_job_begun) {
  if (has_departed_[rank]) return;
  has_departed_[rank] = true;
  if (has_job_begun) untold_.push_back(rank);
}

std::vector<uint32_t> Departures::TakeDue(int64_t now) {
  if (now < deadline()) return {};
  due_at_ = now + kDeparturesNanos;
  return std::exchange(untold_, {});
}

}  // namespace gasnet::job
