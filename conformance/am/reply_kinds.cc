// A request of any category may be answered by a reply of any category, or not
// at all (sections 2.3 and 2.3.4).
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kShortRequest = 128, kPayloadRequest, kShortReply, kPayloadReply };
enum Answer { kNone, kShort, kMedium, kLong, kAnswers };

std::atomic<int> requests{0};
std::atomic<int> replies{0};
char text[] = "some words";

void Reply(gasnet_token_t token, gasnet_handlerarg_t answer) {
  ++requests;
  gasnet_node_t source;
  CHECK_OK(gasnet_AMGetMsgSource(token, &source));
  if (answer == kShort) {
    CHECK_OK(gasnet_AMReplyShort1(token, kShortReply, answer));
  } else if (answer == kMedium) {
    CHECK_OK(gasnet_AMReplyMedium1(token, kPayloadReply, text, sizeof(text),
                                   answer));
  } else if (answer == kLong) {
    CHECK_OK(gasnet_AMReplyLong1(token, kPayloadReply, text, sizeof(text),
                                 SharedMemory(source), answer));
  }
}

void OnShortRequest(gasnet_token_t token, gasnet_handlerarg_t answer) {
  Reply(token, answer);
}

void OnPayloadRequest(gasnet_token_t token, void*, size_t bytes,
                      gasnet_handlerarg_t answer) {
  CHECK_EQ(bytes, sizeof(text));
  Reply(token, answer);
}

void OnShortReply(gasnet_token_t, gasnet_handlerarg_t answer) {
  CHECK_EQ(answer, kShort);
  ++replies;
}

void OnPayloadReply(gasnet_token_t, void*, size_t bytes,
                    gasnet_handlerarg_t answer) {
  CHECK(answer == kMedium || answer == kLong);
  CHECK_EQ(bytes, sizeof(text));
  ++replies;
}

// Sends requests of all kinds. Leaves out LongAsync if the peer sends no reply,
// because LongAsync requires one.
void SendAllKinds(gasnet_node_t peer, Answer answer) {
  const size_t size = sizeof(text);
  char* const there = SharedMemory(peer);
  CHECK_OK(gasnet_AMRequestShort1(peer, kShortRequest, answer));
  CHECK_OK(gasnet_AMRequestMedium1(peer, kPayloadRequest, text, size, answer));
  CHECK_OK(
      gasnet_AMRequestLong1(peer, kPayloadRequest, text, size, there, answer));
  if (answer == kNone) return;
  CHECK_OK(gasnet_AMRequestLongAsync1(peer, kPayloadRequest, text, size, there,
                                      answer));
}

void SendToEveryNode() {
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    for (int answer = kNone; answer < kAnswers; ++answer) {
      SendAllKinds(peer, static_cast<Answer>(answer));
    }
  }
  const int nodes = static_cast<int>(gasnet_nodes());
  GASNET_BLOCKUNTIL(replies == 3 * 4 * nodes);
  GASNET_BLOCKUNTIL(requests == (3 + 3 * 4) * nodes);
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kShortRequest, OnShortRequest),
    HANDLER(kPayloadRequest, OnPayloadRequest),
    HANDLER(kShortReply, OnShortReply),
    HANDLER(kPayloadReply, OnPayloadReply),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers),
                        GASNET_PAGESIZE);
  conformance::SendToEveryNode();
  return conformance::FinishJob();
}
