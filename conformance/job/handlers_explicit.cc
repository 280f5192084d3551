// A client may register a handler at every index from 128 to 255, in any order.
// A message to an index runs the handler of that index (section 2.1.0.2).
#include <atomic>
#include <utility>

#include "conformance/harness.h"

namespace conformance {
namespace {

constexpr int kFirst = 128;
constexpr int kHandlers = 128;

std::atomic<int> calls[kHandlers];
std::atomic<int> all_calls{0};

// Each instance of this handler knows the index at which it was registered.
template <int kIndex>
void Handle(gasnet_token_t, gasnet_handlerarg_t index) {
  CHECK_EQ(index, kIndex);
  ++calls[kIndex - kFirst];
  ++all_calls;
}

gasnet_handlerentry_t handlers[kHandlers];

// Fills the table from the highest index to the lowest.
template <int... kOffsets>
void FillTable(std::integer_sequence<int, kOffsets...>) {
  ((handlers[kHandlers - 1 - kOffsets] =
        HANDLER(kFirst + kOffsets, Handle<kFirst + kOffsets>)),
   ...);
}

void CheckTableUnchanged() {
  for (int i = 0; i < kHandlers; ++i) {
    CHECK_EQ(handlers[i].index, kFirst + kHandlers - 1 - i);
  }
}

void CallEveryHandler() {
  const gasnet_node_t peer = (gasnet_mynode() + 1) % gasnet_nodes();
  for (int index = kFirst; index < kFirst + kHandlers; ++index) {
    CHECK_OK(gasnet_AMRequestShort1(peer, static_cast<gasnet_handler_t>(index),
                                    index));
  }
  GASNET_BLOCKUNTIL(all_calls == kHandlers);
  for (const std::atomic<int>& count : calls) CHECK_EQ(count, 1);
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::FillTable(
      std::make_integer_sequence<int, conformance::kHandlers>());
  CHECK_OK(gasnet_init(&argc, &argv));
  CHECK_OK(gasnet_attach(handlers, COUNT_OF(handlers), 0, 0));
  conformance::CheckTableUnchanged();
  conformance::CallEveryHandler();
  return conformance::FinishJob();
}
