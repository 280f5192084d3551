// A Long request puts its payload at an address in the memory of the receiver.
// The whole payload is in place before the handler runs, and nothing else is
// written (sections 2.3.1, 2.3.2.3 and 2.3.3.3).
#include <string.h>

#include <atomic>
#include <initializer_list>
#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply };

constexpr size_t kGuard = 16;
constexpr size_t kLargest = 200000;
constexpr size_t kSlot = kLargest + 2 * kGuard + 8;

std::atomic<int> replies{0};

size_t Limit() {
  const size_t limit = gasnet_AMMaxLongRequest();
  return limit < kLargest ? limit : kLargest;
}

void OnRequest(gasnet_token_t token, void* buffer, size_t bytes,
               gasnet_handlerarg_t size, gasnet_handlerarg_t offset,
               gasnet_handlerarg_t key) {
  CHECK_EQ(bytes, size);
  if (bytes > 0) {
    char* const data = static_cast<char*>(buffer);
    CHECK_EQ(data, SharedMemory(gasnet_mynode()) + offset);
    CHECK_PATTERN(data, bytes, key);
    CHECK_BYTES(data - kGuard, kGuard, 0xEE);
    CHECK_BYTES(data + bytes, kGuard, 0xEE);
    memset(data, 0xEE, bytes);  // clears the slot for the next message
  }
  CHECK_OK(gasnet_AMReplyShort0(token, kReply));
}

void OnReply(gasnet_token_t) { ++replies; }

// Sends messages of all sizes. Every node has its own slot in the memory of
// each peer. It sends a message to the slot only after the previous one has
// been answered.
void SendAllSizes(gasnet_node_t peer, size_t shift, char* source) {
  const size_t offset = gasnet_mynode() * kSlot + kGuard + shift;
  int key = static_cast<int>(peer + shift);
  for (size_t size = 0; size <= Limit(); size = NextSize(size, Limit())) {
    FillPattern(source, size, ++key);
    replies = 0;
    CHECK_OK(gasnet_AMRequestLong3(
        peer, kRequest, source, size, SharedMemory(peer) + offset,
        static_cast<gasnet_handlerarg_t>(size),
        static_cast<gasnet_handlerarg_t>(offset), key));
    memset(source, 0xDD, size);  // the source may be reused at once
    GASNET_BLOCKUNTIL(replies == 1);
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
  conformance::InitJob(&argc, &argv);
  const size_t bytes = gasnet_nodes() * conformance::kSlot;
  // The source lies behind the slots. Networks may read it in place.
  conformance::AttachJob(handlers, COUNT_OF(handlers),
                         bytes + conformance::kLargest);
  memset(conformance::SharedMemory(gasnet_mynode()), 0xEE, bytes);
  conformance::Barrier();
  const auto elsewhere = std::make_unique<char[]>(conformance::Limit());
  char* const in_segment = conformance::SharedMemory(gasnet_mynode()) + bytes;
  for (char* source : {elsewhere.get(), in_segment}) {
    for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
      conformance::SendAllSizes(peer, peer % 2 == 0 ? 0 : 3, source);
    }
  }
  return conformance::FinishJob();
}
