// gasnet_AMRequestLongAsync may read its source until the handler of the reply
// begins. That handler may then overwrite the source (section 2.3.3.4). Sources
// lie outside and inside of segments. Networks may read those inside in place.
#include <string.h>

#include <atomic>
#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply };

constexpr size_t kBytes = 6000;
constexpr int kMessages = 16;

// One buffer for every message to every peer.
char* sources;
std::atomic<int> replies{0};

char* Source(int message) { return &sources[message * kBytes]; }

// Returns the destination of message number `message` of node `from`.
char* Destination(gasnet_node_t owner, gasnet_node_t from, int message) {
  return SharedMemory(owner) + (from * kMessages + message) * kBytes;
}

size_t SizeOf(int message) { return kBytes - message; }

void OnRequest(gasnet_token_t token, void* buffer, size_t bytes,
               gasnet_handlerarg_t from, gasnet_handlerarg_t message) {
  CHECK_EQ(buffer, Destination(gasnet_mynode(), from, message % kMessages));
  CHECK_EQ(bytes, SizeOf(message % kMessages));
  CHECK_PATTERN(buffer, bytes, message);
  CHECK_OK(gasnet_AMReplyShort1(token, kReply, message));
}

void OnReply(gasnet_token_t, gasnet_handlerarg_t message) {
  memset(Source(message), 0xEE, kBytes);
  ++replies;
}

void Send(gasnet_node_t peer, int slot) {
  const int message = static_cast<int>(peer) * kMessages + slot;
  FillPattern(Source(message), kBytes, message);
  CHECK_OK(gasnet_AMRequestLongAsync2(
      peer, kRequest, Source(message), SizeOf(slot),
      Destination(peer, gasnet_mynode(), slot),
      static_cast<gasnet_handlerarg_t>(gasnet_mynode()), message));
}

void SendToEveryNode(char* from) {
  const int nodes = static_cast<int>(gasnet_nodes());
  sources = from;
  replies = 0;
  for (int slot = 0; slot < kMessages; ++slot) {
    for (int peer = 0; peer < nodes; ++peer) Send(peer, slot);
  }
  GASNET_BLOCKUNTIL(replies == nodes * kMessages);
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
  const size_t bytes =
      gasnet_nodes() * conformance::kMessages * conformance::kBytes;
  conformance::AttachJob(handlers, COUNT_OF(handlers), 2 * bytes);
  const auto elsewhere = std::make_unique<char[]>(bytes);
  conformance::SendToEveryNode(elsewhere.get());
  // No node writes to this part of the segment, so it can hold sources.
  conformance::SendToEveryNode(conformance::SharedMemory(gasnet_mynode()) +
                               bytes);
  return conformance::FinishJob();
}
