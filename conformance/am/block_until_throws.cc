// An exception that the condition of GASNET_BLOCKUNTIL throws ends the wait.
// Statistics count the wait, and later waits are counted by themselves. This is
// beyond the specification (section 2.3.5.2), which has no exceptions.
#include <gasnet_trace.h>
#include <stdint.h>

#include <stdexcept>

#include "conformance/harness.h"
#include "conformance/observe/report.h"

namespace conformance {
namespace {

enum { kPing = 128 };

int pings = 0;
void Ping(gasnet_token_t) { ++pings; }

gasnet_handlerentry_t handlers[] = {HANDLER(kPing, Ping)};

// Is false in the first calls, and then throws. There are enough calls for a
// wait that has begun.
bool FailLater(int* calls) {
  if (++*calls > 100) throw std::runtime_error("of a condition");
  return false;
}

// Returns true if the wait ends by an exception.
bool Throws() {
  int calls = 0;
  try {
    GASNET_BLOCKUNTIL(FailLater(&calls));
  } catch (const std::runtime_error&) {
    return true;
  }
  return false;
}

uint64_t Waits() {
  GASNETT_STATS_DUMP(0);
  return LastReport().Of("wait", "GASNET_BLOCKUNTIL").Count("waits");
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 0);
  Barrier();
  const uint64_t before = Waits();
  CHECK(Throws());
  CHECK_EQ(Waits(), before + 1);
  CHECK(Throws());
  CHECK_EQ(Waits(), before + 2);
  CHECK_OK(gasnet_AMRequestShort0(gasnet_mynode(), kPing));
  GASNET_BLOCKUNTIL(pings == 1);
  CHECK_EQ(Waits(), before + 2);
  return FinishJob();
}
