// A Long reply puts its payload into the memory of the requesting node, before
// the handler of the reply runs (sections 2.3.2.4 and 2.3.4.3).
#include <string.h>

#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kFetch = 128, kDelivery };

constexpr size_t kLargest = 200000;
constexpr size_t kSlot = kLargest + 8;

std::atomic<int> deliveries{0};

size_t Limit() {
  const size_t limit = gasnet_AMMaxLongReply();
  return limit < kLargest ? limit : kLargest;
}

// Replies with `size` bytes. They are written at `offset` in the requesting
// node's memory.
void Fetch(gasnet_token_t token, gasnet_handlerarg_t size,
           gasnet_handlerarg_t offset) {
  gasnet_node_t source;
  CHECK_OK(gasnet_AMGetMsgSource(token, &source));
  static thread_local char data[kLargest];
  FillPattern(data, size, size);
  CHECK_OK(gasnet_AMReplyLong2(token, kDelivery, data, size,
                               SharedMemory(source) + offset, size, offset));
  memset(data, 0xDD, size);  // the source may be reused at once
}

void Delivery(gasnet_token_t, void* buffer, size_t bytes,
              gasnet_handlerarg_t size, gasnet_handlerarg_t offset) {
  CHECK_EQ(bytes, size);
  if (bytes > 0) {
    CHECK_EQ(buffer, SharedMemory(gasnet_mynode()) + offset);
    CHECK_PATTERN(buffer, bytes, size);
  }
  ++deliveries;
}

// Gets replies of one size from all peers at once. Each reply has its own slot.
void FetchFromAll(size_t size) {
  deliveries = 0;
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    const size_t offset = peer * kSlot + peer % 8;
    CHECK_OK(gasnet_AMRequestShort2(peer, kFetch,
                                    static_cast<gasnet_handlerarg_t>(size),
                                    static_cast<gasnet_handlerarg_t>(offset)));
  }
  GASNET_BLOCKUNTIL(deliveries == static_cast<int>(gasnet_nodes()));
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kFetch, Fetch),
    HANDLER(kDelivery, Delivery),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::InitJob(&argc, &argv);
  conformance::AttachJob(handlers, COUNT_OF(handlers),
                         gasnet_nodes() * conformance::kSlot);
  const size_t limit = conformance::Limit();
  for (size_t size = 0; size <= limit;
       size = conformance::NextSize(size, limit)) {
    conformance::FetchFromAll(size);
  }
  return conformance::FinishJob();
}
