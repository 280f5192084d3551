#include "core/observe/network_counts.h"

#include <sched.h>

#include <atomic>

namespace gasnet::observe {
namespace {

// The counts of this process, and the number of visits under way. Both are
// seq_cst: either a visit sees that the counts are gone, or the destructor sees
// the visit.
std::atomic<const NetworkCounts*> current{nullptr};
std::atomic<unsigned> visits{0};

}  // namespace

NetworkCounts::NetworkCounts(const void* network, List list)
    : network_(network), list_(list) {
  current.store(this);
}

NetworkCounts::~NetworkCounts() {
  current.store(nullptr);
  while (visits.load() > 0) sched_yield();
}

void NetworkCounts::Visit(Add add) {
  visits.fetch_add(1);
  const NetworkCounts* const counts = current.load();
  if (counts != nullptr) counts->list_(counts->network_, add);
  visits.fetch_sub(1);
}

}  // namespace gasnet::observe
