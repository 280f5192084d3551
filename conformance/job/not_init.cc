// Functions that return an error code return GASNET_ERR_NOT_INIT if they are
// called too early. Such a call has no other effect (section 1.6).
#include "conformance/harness.h"

int main(int argc, char** argv) {
  CHECK_RESULT(gasnet_attach(nullptr, 0, 0, 0), GASNET_ERR_NOT_INIT);

  CHECK_OK(gasnet_init(&argc, &argv));
  gasnet_seginfo_t info;
  CHECK_RESULT(gasnet_getSegmentInfo(&info, 1), GASNET_ERR_NOT_INIT);

  CHECK_OK(gasnet_attach(nullptr, 0, 0, 0));
  CHECK_OK(gasnet_getSegmentInfo(&info, 1));
  return conformance::FinishJob();
}
