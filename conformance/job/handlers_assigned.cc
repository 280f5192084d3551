// gasnet_attach gives a free index to a handler registered at index 0 ("don't
// care"). The index is the same on every node. gasnet_attach writes it into the
// table, and does not change indices that the client chose (section 2.1.0.2).
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kLow = 128, kMiddle = 200, kHigh = 255 };

std::atomic<int> calls{0};

template <int kWho>
void Handle(gasnet_token_t, gasnet_handlerarg_t who) {
  CHECK_EQ(who, kWho);
  ++calls;
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(0, Handle<0>), HANDLER(kHigh, Handle<1>),
    HANDLER(0, Handle<2>), HANDLER(kLow, Handle<3>),
    HANDLER(0, Handle<4>), HANDLER(kMiddle, Handle<5>),
    HANDLER(0, Handle<6>), HANDLER(0, Handle<7>),
};

void CheckTable() {
  CHECK_EQ(handlers[1].index, kHigh);
  CHECK_EQ(handlers[3].index, kLow);
  CHECK_EQ(handlers[5].index, kMiddle);
  for (int i = 0; i < COUNT_OF(handlers); ++i) {
    CHECK(handlers[i].index >= 128);
    CHECK(handlers[i].fnptr != nullptr);
    for (int j = 0; j < i; ++j) CHECK(handlers[i].index != handlers[j].index);
  }
}

// Calls every handler on every node, by the index in this node's table. The
// peer runs the right handler only if both nodes assigned the same index.
void CallEveryHandler() {
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    for (int i = 0; i < COUNT_OF(handlers); ++i) {
      CHECK_OK(gasnet_AMRequestShort1(peer, handlers[i].index, i));
    }
  }
  const int expected = COUNT_OF(handlers) * static_cast<int>(gasnet_nodes());
  GASNET_BLOCKUNTIL(calls == expected);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  CHECK_OK(gasnet_init(&argc, &argv));
  CHECK_OK(gasnet_attach(handlers, COUNT_OF(handlers), 0, 0));
  conformance::CheckTable();
  conformance::CallEveryHandler();
  return conformance::FinishJob();
}
