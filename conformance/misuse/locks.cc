// Misuse of locks and of No-Interrupt Sections that a build with checks detects
// (the implementor's note of section 2.4.5).
#include "conformance/harness.h"

namespace conformance {
namespace {

enum {
  kKeepLock = 128,
  kReplyWithLock,
  kNothing,
};

gasnet_hsl_t a = GASNET_HSL_INITIALIZER;
gasnet_hsl_t b = GASNET_HSL_INITIALIZER;

// --- Handlers that break the rules ---

void KeepLock(gasnet_token_t) { gasnet_hsl_lock(&a); }

void ReplyWithLock(gasnet_token_t token) {
  gasnet_hsl_lock(&a);
  gasnet_AMReplyShort0(token, kNothing);
}

void Nothing(gasnet_token_t) {}

// Runs the handler on this node.
template <int kHandler>
void InHandler() {
  CHECK_OK(gasnet_AMRequestShort0(gasnet_mynode(), kHandler));
  for (int i = 0; i < 1000; ++i) CHECK_OK(gasnet_AMPoll());
}

// --- Main-line code that breaks the rules ---

void LockTwice() {
  gasnet_hsl_lock(&a);
  gasnet_hsl_lock(&a);
}

void TryTwice() {
  CHECK_OK(gasnet_hsl_trylock(&a));
  gasnet_hsl_trylock(&a);
}

void UnlockInWrongOrder() {
  gasnet_hsl_lock(&a);
  gasnet_hsl_lock(&b);
  gasnet_hsl_unlock(&a);
}

void UnlockWithoutLock() { gasnet_hsl_unlock(&a); }

void DestroyLocked() {
  gasnet_hsl_lock(&a);
  gasnet_hsl_destroy(&a);
}

void HoldTwice() {
  gasnet_hold_interrupts();
  gasnet_hold_interrupts();
}

void ResumeWithoutHold() { gasnet_resume_interrupts(); }

constexpr Case kCases[] = {
    {"lock_twice", LockTwice},
    {"try_twice", TryTwice},
    {"unlock_in_wrong_order", UnlockInWrongOrder},
    {"unlock_without_lock", UnlockWithoutLock},
    {"destroy_locked", DestroyLocked},
    {"hold_twice", HoldTwice},
    {"resume_without_hold", ResumeWithoutHold},
    {"handler_keeps_lock", InHandler<kKeepLock>},
    {"reply_with_lock", InHandler<kReplyWithLock>},
};

gasnet_handlerentry_t handlers[] = {
    HANDLER(kKeepLock, KeepLock),
    HANDLER(kReplyWithLock, ReplyWithLock),
    HANDLER(kNothing, Nothing),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  using conformance::kCases;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 0);
  conformance::RunMisuse(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
