// gasnet_attach can assign all of the 128 indices that a client may use, even
// to one function registered 128 times (section 2.1.0.2).
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kHandlers = 128;

gasnet_handlerentry_t handlers[kHandlers];
std::atomic<int> calls{0};

void Count(gasnet_token_t) { ++calls; }

void CheckEveryIndexAssigned() {
  bool assigned[256] = {};
  for (const gasnet_handlerentry_t& entry : handlers) {
    CHECK(entry.index >= 128);
    CHECK(!assigned[entry.index]);
    assigned[entry.index] = true;
  }
}

void CallEveryIndex() {
  const gasnet_node_t peer = gasnet_nodes() - 1 - gasnet_mynode();
  for (const gasnet_handlerentry_t& entry : handlers) {
    CHECK_OK(gasnet_AMRequestShort0(peer, entry.index));
  }
  GASNET_BLOCKUNTIL(calls == kHandlers);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  for (gasnet_handlerentry_t& entry : handlers) {
    entry = HANDLER(0, conformance::Count);
  }
  CHECK_OK(gasnet_init(&argc, &argv));
  CHECK_OK(gasnet_attach(handlers, COUNT_OF(handlers), 0, 0));
  conformance::CheckEveryIndexAssigned();
  conformance::CallEveryIndex();
  return conformance::FinishJob();
}
