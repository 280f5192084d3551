// A second notify without a wait after the first is a mistake. A build without
// checks reports it once, and the first notify counts.
#include "conformance/harness.h"

int main(int argc, char** argv) {
  const int flags = GASNET_BARRIERFLAG_ANONYMOUS;
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  for (int i = 0; i < 3; ++i) {
    gasnet_barrier_notify(5, 0);
    gasnet_barrier_notify(6, flags);
    CHECK_OK(gasnet_barrier_wait(5, 0));
  }
  gasnet_barrier_notify(0, flags);
  CHECK_OK(gasnet_barrier_wait(0, flags));
  return conformance::FinishJob();
}
