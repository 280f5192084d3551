// Under GASNET_SEGMENT_EVERYTHING a node can access all of a peer's memory:
// stack, heap, static data, and mappings of the program (section 2.1).
#include <string.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <initializer_list>
#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kAddresses = 128, kRequest, kReply };

constexpr size_t kBytes = 20000;

// The addresses, on one node, of one area in each kind of memory.
struct Places {
  char* stack;
  char* heap;
  char* data;
  char* mapped;
};

alignas(64) char static_data[kBytes];
std::unique_ptr<Places[]> places;  // indexed by node
std::atomic<gasnet_node_t> known{0};
std::atomic<int> replies{0};

void OnAddresses(gasnet_token_t token, void* buffer, size_t bytes) {
  gasnet_node_t source;
  CHECK_OK(gasnet_AMGetMsgSource(token, &source));
  CHECK_EQ(bytes, sizeof(Places));
  memcpy(&places[source], buffer, bytes);
  ++known;
}

// Handles a Long. The `before` bytes in front of the payload are the payloads
// of earlier Longs. They must have arrived too.
void OnRequest(gasnet_token_t token, void* buffer, size_t bytes,
               gasnet_handlerarg_t before) {
  CHECK_PATTERN(static_cast<char*>(buffer) - before, before + bytes, 8);
  CHECK_OK(gasnet_AMReplyShort0(token, kReply));
}

void OnReply(gasnet_token_t) { ++replies; }

void Exchange(Places mine) {
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    CHECK_OK(gasnet_AMRequestMedium0(peer, kAddresses, &mine, sizeof(mine)));
  }
  GASNET_BLOCKUNTIL(known == gasnet_nodes());
  Barrier();
}

void SendLongs(gasnet_node_t peer, char* there, char* source) {
  const size_t longest = gasnet_AMMaxLongRequest();
  for (size_t sent = 0; sent < kBytes; sent += longest) {
    replies = 0;
    CHECK_OK(gasnet_AMRequestLong1(
        peer, kRequest, source + sent, std::min(longest, kBytes - sent),
        there + sent, static_cast<gasnet_handlerarg_t>(sent)));
    GASNET_BLOCKUNTIL(replies == 1);
  }
}

// Puts to and gets from the memory at `there`. No other node accesses this
// memory.
void Reach(gasnet_node_t peer, char* there) {
  static char source[kBytes], copy[kBytes];
  FillPattern(source, kBytes, 6);
  gasnet_put_bulk(peer, there, source, kBytes);
  gasnet_get_bulk(copy, peer, there, kBytes);
  CHECK_PATTERN(copy, kBytes, 6);

  gasnet_memset(peer, there + 1, 0x5A, 1000);
  CHECK_EQ(gasnet_get_val(peer, there + 500, 2), 0x5A5A);
  gasnet_put_val(peer, there + 8, 77, 8);
  CHECK_EQ(gasnet_get_val(peer, there + 8, 8), 77);

  FillPattern(source, kBytes, 8);
  SendLongs(peer, there, source);
}

// Checks that each kind of this node's memory holds the last message.
void CheckOwn(const Places& mine) {
  for (const char* memory : {mine.stack, mine.heap, mine.data, mine.mapped}) {
    CHECK_PATTERN(memory, kBytes, 8);
  }
}

void Run() {
  alignas(64) char on_stack[kBytes] = {};
  const auto in_heap = std::make_unique<char[]>(kBytes);
  void* const mapped = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(mapped != MAP_FAILED);
  const Places mine = {on_stack, in_heap.get(), static_data,
                       static_cast<char*>(mapped)};
  Exchange(mine);
  const gasnet_node_t next = (gasnet_mynode() + 1) % gasnet_nodes();
  Reach(next, places[next].stack);
  Reach(next, places[next].heap);
  Reach(next, places[next].data);
  Reach(next, places[next].mapped);
  Barrier();
  CheckOwn(mine);
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kAddresses, OnAddresses),
    HANDLER(kRequest, OnRequest),
    HANDLER(kReply, OnReply),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::InitJob(&argc, &argv);
  conformance::places = std::make_unique<conformance::Places[]>(gasnet_nodes());
  conformance::AttachJob(handlers, COUNT_OF(handlers), 0);
  conformance::Run();
  return conformance::FinishJob();
}
