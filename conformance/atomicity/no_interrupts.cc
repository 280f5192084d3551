// No handler runs on a thread inside its No-Interrupt Section. The few calls
// that section 2.4.3 permits work in the section. Messages that arrive during
// the section are handled after it (sections 2.4.2 and 2.4.3).
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply };

constexpr int kRounds = 100;

thread_local bool held = false;
gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
std::atomic<int> replies{0};

void OnRequest(gasnet_token_t token) {
  CHECK(!held);
  CHECK_OK(gasnet_AMReplyShort0(token, kReply));
}

void OnReply(gasnet_token_t) {
  CHECK(!held);
  ++replies;
}

// Computes in a No-Interrupt Section. Meanwhile requests to this node and
// replies to this node are under way.
void ComputeWithoutInterrupts() {
  gasnet_hold_interrupts();
  held = true;
  for (int i = 0; i < 50; ++i) {
    CHECK(gasnet_mynode() < gasnet_nodes());
    gasnet_hsl_lock(&lock);
    gasnet_hsl_unlock(&lock);
    CHECK_OK(gasnet_hsl_trylock(&lock));
    gasnet_hsl_unlock(&lock);
  }
  held = false;
  gasnet_resume_interrupts();
}

void Run() {
  for (int round = 1; round <= kRounds; ++round) {
    const gasnet_node_t peer = (gasnet_mynode() + round) % gasnet_nodes();
    CHECK_OK(gasnet_AMRequestShort0(peer, kRequest));
    ComputeWithoutInterrupts();
    GASNET_BLOCKUNTIL(replies == round);
  }
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
  conformance::Run();
  return conformance::FinishJob();
}
