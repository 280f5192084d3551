// Every message is handled exactly once. Messages may be handled in any order.
// Each sender numbers its messages, and each receiver ticks the numbers off
// (section 2.3).
#include <atomic>
#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kShort = 128, kMedium, kLong };

constexpr int kMessages = 300;  // from each node to each node

std::unique_ptr<std::atomic<bool>[]> handled;
std::atomic<int> all_handled{0};

void TickOff(gasnet_handlerarg_t from, gasnet_handlerarg_t number) {
  CHECK(number >= 0 && number < kMessages);
  CHECK(!handled[from * kMessages + number].exchange(true));
  ++all_handled;
}

void OnShort(gasnet_token_t, gasnet_handlerarg_t from,
             gasnet_handlerarg_t number) {
  TickOff(from, number);
}

void OnPayload(gasnet_token_t, void* buffer, size_t bytes,
               gasnet_handlerarg_t from, gasnet_handlerarg_t number) {
  CHECK_EQ(bytes, sizeof(number));
  CHECK_EQ(*static_cast<gasnet_handlerarg_t*>(buffer), number);
  TickOff(from, number);
}

void SendToEveryNode(gasnet_handlerarg_t number) {
  const gasnet_handlerarg_t me = static_cast<int>(gasnet_mynode());
  const int slot = me * kMessages + number;
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    if (number % 3 == 0) {
      CHECK_OK(gasnet_AMRequestShort2(peer, kShort, me, number));
    } else if (number % 3 == 1) {
      CHECK_OK(gasnet_AMRequestMedium2(peer, kMedium, &number, sizeof(number),
                                       me, number));
    } else {
      CHECK_OK(gasnet_AMRequestLong2(peer, kLong, &number, sizeof(number),
                                     SharedMemory(peer) + slot * sizeof(number),
                                     me, number));
    }
  }
}

void SendAll() {
  for (int number = 0; number < kMessages; ++number) SendToEveryNode(number);
  GASNET_BLOCKUNTIL(all_handled ==
                    static_cast<int>(gasnet_nodes()) * kMessages);
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kShort, OnShort),
    HANDLER(kMedium, OnPayload),
    HANDLER(kLong, OnPayload),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::InitJob(&argc, &argv);
  const size_t messages = gasnet_nodes() * conformance::kMessages;
  conformance::handled = std::make_unique<std::atomic<bool>[]>(messages);
  conformance::AttachJob(handlers, COUNT_OF(handlers),
                         messages * sizeof(gasnet_handlerarg_t));
  conformance::SendAll();
  return conformance::FinishJob();
}
