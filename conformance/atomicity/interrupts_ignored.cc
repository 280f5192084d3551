// gasnet_hold_interrupts and gasnet_resume_interrupts are ignored in a handler
// and while a lock is held. In these places they neither begin nor end a
// No-Interrupt Section (sections 2.4.3 and 2.4.5).
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply };

gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
std::atomic<int> replies{0};

void OnRequest(gasnet_token_t token) {
  gasnet_hold_interrupts();
  gasnet_hold_interrupts();
  gasnet_resume_interrupts();
  gasnet_hsl_lock(&lock);
  gasnet_resume_interrupts();
  gasnet_hsl_unlock(&lock);
  CHECK_OK(gasnet_AMReplyShort0(token, kReply));
}

void OnReply(gasnet_token_t) {
  gasnet_resume_interrupts();
  ++replies;
}

void HoldWhileLocked() {
  gasnet_hsl_lock(&lock);
  gasnet_hold_interrupts();
  gasnet_hsl_unlock(&lock);
}

void ResumeWhileLocked() {
  gasnet_hsl_lock(&lock);
  gasnet_resume_interrupts();
  gasnet_hsl_unlock(&lock);
}

// Checks that a section that was open before the lock was taken stays open.
void ResumeWhileLockedInASection() {
  gasnet_hold_interrupts();
  ResumeWhileLocked();
  HoldWhileLocked();
  gasnet_resume_interrupts();
}

// Messages still flow, so no section was left open.
void Exchange(int expected) {
  const gasnet_node_t next = (gasnet_mynode() + 1) % gasnet_nodes();
  CHECK_OK(gasnet_AMRequestShort0(next, kRequest));
  GASNET_BLOCKUNTIL(replies == expected);
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kRequest, OnRequest),
    HANDLER(kReply, OnReply),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 0);
  conformance::HoldWhileLocked();
  conformance::Exchange(1);
  conformance::ResumeWhileLocked();
  conformance::Exchange(2);
  conformance::ResumeWhileLockedInASection();
  conformance::Exchange(3);
  return conformance::FinishJob();
}
