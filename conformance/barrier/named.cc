// Named barriers. All nodes use the same id, and every number is legal. Many
// phases follow each other without a pause (sections 3.5.0.1 and 3.5.0.2).
#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kPhases = 100;
constexpr int kIds[] = {0, 1, -1, INT32_MAX, INT32_MIN, 12345};

void NamedBarrier(int id) {
  gasnet_barrier_notify(id, 0);
  CHECK_OK(gasnet_barrier_wait(id, 0));
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  for (int id : conformance::kIds) conformance::NamedBarrier(id);
  for (int id : conformance::kIds) {
    for (int i = 0; i < 3; ++i) conformance::NamedBarrier(id);
  }
  for (int phase = 0; phase < conformance::kPhases; ++phase) {
    conformance::NamedBarrier(phase);
  }
  return conformance::FinishJob();
}
