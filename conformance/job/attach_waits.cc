// gasnet_attach is a barrier: it returns on no node before every node has
// called it (section 2.1.0.2). The last node calls it late. Before that, all
// other nodes have announced their calls, and a wrong gasnet_attach would have
// returned.
#include <sched.h>

#include "conformance/harness.h"
#include "conformance/out_of_band.h"

namespace conformance {
namespace {

enum { kArrived };

constexpr int kTurns = 2000;

void ArriveLast() {
  while (OutOfBand(kArrived) != gasnet_nodes() - 1) sched_yield();
  for (int i = 0; i < kTurns; ++i) sched_yield();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kArrived;
  using conformance::OutOfBand;
  conformance::InitJob(&argc, &argv);
  if (gasnet_mynode() == gasnet_nodes() - 1) conformance::ArriveLast();
  ++OutOfBand(kArrived);
  CHECK_OK(gasnet_attach(nullptr, 0, GASNET_PAGESIZE, 0));
  CHECK_EQ(OutOfBand(kArrived), gasnet_nodes());
  return conformance::FinishJob();
}
