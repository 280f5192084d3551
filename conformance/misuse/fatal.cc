// Mistakes that must end the job with a message in every build: a message to an
// unregistered handler (section 2.3), and barrier calls in a wrong order
// (section 3.5).
#include "conformance/harness.h"

namespace conformance {
namespace {

// The harness uses index 129.
enum {
  kAnswerBadly = 128,
  kLowUnregistered = 130,
  kUnregistered = 222,
  kLastUnregistered = 255,
};

char text[] = "text";

void AnswerBadly(gasnet_token_t token) {
  CHECK_OK(gasnet_AMReplyShort0(token, kUnregistered));
}

gasnet_node_t Last() { return gasnet_nodes() - 1; }

// Waits in GASNet. The mistake may be detected by the sender or only by the
// receiver.
void WaitForEver() {
  volatile bool never = false;
  GASNET_BLOCKUNTIL(never);
}

template <int kIndex>
void UnregisteredShort() {
  CHECK_OK(gasnet_AMRequestShort0(Last(), kIndex));
  WaitForEver();
}

void UnregisteredMedium() {
  CHECK_OK(gasnet_AMRequestMedium0(Last(), kUnregistered, text, sizeof(text)));
  WaitForEver();
}

void UnregisteredLong() {
  CHECK_OK(gasnet_AMRequestLong0(Last(), kUnregistered, text, sizeof(text),
                                 SharedMemory(Last())));
  WaitForEver();
}

void UnregisteredReply() {
  CHECK_OK(gasnet_AMRequestShort0(Last(), kAnswerBadly));
  WaitForEver();
}

void WaitWithoutNotify() { gasnet_barrier_wait(0, 0); }

void TryWithoutNotify() { gasnet_barrier_try(0, 0); }

// Completes one barrier phase. The other nodes are in Barrier() of the harness.
void CompletePhase() {
  const int flags = GASNET_BARRIERFLAG_ANONYMOUS;
  gasnet_barrier_notify(0, flags);
  CHECK_OK(gasnet_barrier_wait(0, flags));
}

void WaitTwice() {
  CompletePhase();
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

void TryAfterWait() {
  CompletePhase();
  gasnet_barrier_try(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

void WaitAfterTry() {
  const int flags = GASNET_BARRIERFLAG_ANONYMOUS;
  gasnet_barrier_notify(0, flags);
  while (gasnet_barrier_try(0, flags) == GASNET_ERR_NOT_READY) continue;
  gasnet_barrier_wait(0, flags);
}

constexpr Case kCases[] = {
    {"unregistered_short", UnregisteredShort<kUnregistered>},
    {"unregistered_medium", UnregisteredMedium},
    {"unregistered_long", UnregisteredLong},
    {"unregistered_reply", UnregisteredReply},
    {"unregistered_low_index", UnregisteredShort<kLowUnregistered>},
    {"unregistered_last_index", UnregisteredShort<kLastUnregistered>},
    {"wait_without_notify", WaitWithoutNotify},
    {"try_without_notify", TryWithoutNotify},
    {"wait_twice", WaitTwice},
    {"try_after_wait", TryAfterWait},
    {"wait_after_try", WaitAfterTry},
};

gasnet_handlerentry_t handlers[] = {HANDLER(kAnswerBadly, AnswerBadly)};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  using conformance::kCases;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers),
                        GASNET_PAGESIZE);
  conformance::RunMisuse(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
