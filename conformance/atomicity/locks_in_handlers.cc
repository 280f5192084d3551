// A lock makes an update of two words atomic, in main-line code and in
// handlers, on any thread (sections 2.4.4 and 2.4.4.3).
#include <sched.h>

#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply };

constexpr int kThreads = 3;
constexpr int kRequests = 200;

gasnet_hsl_t outer = GASNET_HSL_INITIALIZER;
gasnet_hsl_t inner = GASNET_HSL_INITIALIZER;
long up = 0;  // guarded by outer
// guarded by inner; up + down == 0 when no thread holds inner or outer
long down = 0;

std::atomic<int> replies{0};

std::atomic<int> wanting{0};  // threads that want `outer` and do not hold it
// Number of updates during which another thread wanted `outer`.
[[maybe_unused]] std::atomic<int> contended{0};
std::atomic<long> more{0};  // updates besides those that belong to requests

// In PAR, gives other threads the time to try the lock. If the lock did not
// exclude, they would take it.
void LetOthersTry() {
#ifdef GASNET_PAR
  sched_yield();
  if (wanting > 0) ++contended;
#endif
}

void Update() {
  ++wanting;
  gasnet_hsl_lock(&outer);
  --wanting;
  gasnet_hsl_lock(&inner);
  CHECK_EQ(up + down, 0);
  ++up;
  LetOthersTry();
  --down;
  gasnet_hsl_unlock(&inner);
  gasnet_hsl_unlock(&outer);
}

void OnRequest(gasnet_token_t token) {
  Update();
  CHECK_OK(gasnet_AMReplyShort0(token, kReply));
}

void OnReply(gasnet_token_t) {
  Update();
  ++replies;
}

// Updates until two threads have wanted the lock at the same time. If threads
// ran one after the other, nothing would be tested.
void UpdateUntilContended() {
#ifdef GASNET_PAR
  for (; contended == 0; ++more) Update();
#endif
}

void SendAndUpdate(int) {
  for (int number = 0; number < kRequests; ++number) {
    const gasnet_node_t peer = (gasnet_mynode() + number) % gasnet_nodes();
    CHECK_OK(gasnet_AMRequestShort0(peer, kRequest));
    Update();
    LetOthersRun();
  }
  UpdateUntilContended();
}

// Checks the totals. Each request causes three updates: one by its sender, one
// in its handler, and one in the handler of its reply. Every node receives as
// many requests as it sends.
void CheckTotals() {
  gasnet_hsl_lock(&outer);
  CHECK_EQ(up, 3 * kThreads * kRequests + more);
  gasnet_hsl_unlock(&outer);
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
  conformance::RunThreads(conformance::kThreads, conformance::SendAndUpdate);
  GASNET_BLOCKUNTIL(conformance::replies ==
                    conformance::kThreads * conformance::kRequests);
  conformance::Barrier();
  conformance::CheckTotals();
  return conformance::FinishJob();
}
