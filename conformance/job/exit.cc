// gasnet_exit ends the job with its code, from any caller and any place
// (section 2.1.0.5). The argument selects the caller and the place. The runner
// checks the code.
#include <unistd.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kCode = 42;

enum { kExit = 128, kForward };

// Waits inside GASNet until the job ends.
void WaitForever() {
  volatile bool never = false;
  GASNET_BLOCKUNTIL(never);
}

// Waits outside GASNet until the job ends.
void SleepForever() {
  for (;;) pause();
}

bool IsLast() { return gasnet_mynode() == gasnet_nodes() - 1; }

// --- The caller ---

void FirstNode() {
  if (gasnet_mynode() == 0) gasnet_exit(kCode);
  for (;;) CHECK_OK(gasnet_AMPoll());
}

void LastNode() {
  if (IsLast()) gasnet_exit(kCode);
  WaitForever();
}

void AllNodes() {
  Barrier();
  gasnet_exit(kCode);
}

// Exits with different codes. The job's code is one of them; the runner accepts
// any.
void DifferentCodes() {
  Barrier();
  gasnet_exit(kCode + static_cast<int>(gasnet_mynode()));
}

void WithZero() {
  if (IsLast()) gasnet_exit(0);
  WaitForever();
}

void WithGreatestCode() {
  if (IsLast()) gasnet_exit(255);
  WaitForever();
}

// --- The activity of the other nodes ---

void OthersSleep() {
  Barrier();
  if (IsLast()) gasnet_exit(kCode);
  SleepForever();
}

void OthersInBarrier() {
  if (IsLast()) gasnet_exit(kCode);
  Barrier();
}

void OthersBlock() {
  Barrier();
  if (IsLast()) gasnet_exit(kCode);
  WaitForever();
}

// --- The place of the call ---

void Exit(gasnet_token_t) { gasnet_exit(kCode); }

void Forward(gasnet_token_t token) {
  CHECK_OK(gasnet_AMReplyShort0(token, kExit));
}

void InRequestHandler() {
  if (IsLast()) CHECK_OK(gasnet_AMRequestShort0(0, kExit));
  WaitForever();
}

void InReplyHandler() {
  if (IsLast()) CHECK_OK(gasnet_AMRequestShort0(0, kForward));
  WaitForever();
}

void InNoInterruptSection() {
  gasnet_hold_interrupts();
  if (IsLast()) gasnet_exit(kCode);
  gasnet_resume_interrupts();
  WaitForever();
}

void HoldingLock() {
  gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
  gasnet_hsl_lock(&lock);
  if (IsLast()) gasnet_exit(kCode);
  gasnet_hsl_unlock(&lock);
  WaitForever();
}

void WithOperationsInFlight() {
  static int values[64];
  for (int& value : values) {
    gasnet_put_nbi(0, SharedMemory(0), &value, sizeof(value));
  }
  if (IsLast()) gasnet_exit(kCode);
  WaitForever();
}

constexpr Case kCases[] = {
    {"first_node", FirstNode},
    {"last_node", LastNode},
    {"all_nodes", AllNodes},
    {"different_codes", DifferentCodes},
    {"with_zero", WithZero},
    {"with_greatest_code", WithGreatestCode},
    {"others_sleep", OthersSleep},
    {"others_in_barrier", OthersInBarrier},
    {"others_block", OthersBlock},
    {"in_request_handler", InRequestHandler},
    {"in_reply_handler", InReplyHandler},
    {"in_no_interrupt_section", InNoInterruptSection},
    {"holding_lock", HoldingLock},
    {"with_operations_in_flight", WithOperationsInFlight},
};

gasnet_handlerentry_t handlers[] = {
    HANDLER(kExit, Exit),
    HANDLER(kForward, Forward),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  using conformance::kCases;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers),
                        GASNET_PAGESIZE);
  conformance::RunCase(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
