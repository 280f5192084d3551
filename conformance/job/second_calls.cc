// gasnet_init and gasnet_attach succeed once in the life of a process. Later
// calls return an error, and the job goes on (sections 2.1.0.1 and 2.1.0.2).
#include "conformance/harness.h"

int main(int argc, char** argv) {
  CHECK_OK(gasnet_init(&argc, &argv));
  CHECK(gasnet_init(&argc, &argv) != GASNET_OK);

  CHECK_OK(gasnet_attach(nullptr, 0, GASNET_PAGESIZE, 0));
  CHECK(gasnet_attach(nullptr, 0, GASNET_PAGESIZE, 0) != GASNET_OK);
  CHECK(gasnet_init(&argc, &argv) != GASNET_OK);

  conformance::Barrier();
  CHECK_OK(gasnet_AMPoll());
  return conformance::FinishJob();
}
