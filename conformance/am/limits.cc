// Lower bounds for the size limits of active messages (section 2.3.2).
#include "conformance/harness.h"

namespace conformance {
namespace {

void CheckLimits() {
  const size_t widest =
      sizeof(int) > sizeof(void*) ? sizeof(int) : sizeof(void*);
  CHECK(gasnet_AMMaxArgs() >= 2 * widest);
  // Runtimes expect a limit near 64 KiB on every conduit.
  CHECK(gasnet_AMMaxMedium() >= 65000);
  CHECK(gasnet_AMMaxLongRequest() >= 512);
  CHECK(gasnet_AMMaxLongReply() >= 512);
}

// Checks that the limits do not change. Clients rely on them when they choose
// the sizes of their messages.
void CheckStable() {
  const size_t medium = gasnet_AMMaxMedium();
  const size_t request = gasnet_AMMaxLongRequest();
  const size_t reply = gasnet_AMMaxLongReply();
  Barrier();
  CHECK_EQ(gasnet_AMMaxMedium(), medium);
  CHECK_EQ(gasnet_AMMaxLongRequest(), request);
  CHECK_EQ(gasnet_AMMaxLongReply(), reply);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, nullptr, 0, 0);
  conformance::CheckLimits();
  conformance::CheckStable();
  return conformance::FinishJob();
}
