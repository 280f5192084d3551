// Long messages of exactly the maximum size, if memory allows it (sections
// 2.3.2.3 and 2.3.2.4).
#include <atomic>
#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply };

// A size that memory allows. If the maximum is greater, only this size is
// tried.
constexpr size_t kAffordable = 4 << 20;

size_t request_size;
size_t reply_size;
std::atomic<bool> answered{false};

size_t Affordable(size_t limit) {
  return limit < kAffordable ? limit : kAffordable;
}

void ChooseSizes() {
  request_size = Affordable(gasnet_AMMaxLongRequest());
  reply_size = Affordable(gasnet_AMMaxLongReply());
  Barrier();
}

// RequestArea returns the half of a node's memory for requests. ReplyArea
// returns the half for replies.
char* RequestArea(gasnet_node_t node) { return SharedMemory(node); }
char* ReplyArea(gasnet_node_t node) { return SharedMemory(node) + kAffordable; }

void OnRequest(gasnet_token_t token, void* buffer, size_t bytes) {
  CHECK_EQ(buffer, RequestArea(gasnet_mynode()));
  CHECK_EQ(bytes, request_size);
  CHECK_PATTERN(buffer, bytes, 5);
  gasnet_node_t source;
  CHECK_OK(gasnet_AMGetMsgSource(token, &source));
  CHECK_OK(gasnet_AMReplyLong0(token, kReply, buffer, reply_size,
                               ReplyArea(source)));
}

void OnReply(gasnet_token_t, void* buffer, size_t bytes) {
  CHECK_EQ(buffer, ReplyArea(gasnet_mynode()));
  CHECK_EQ(bytes, reply_size);
  CHECK_PATTERN(buffer, bytes < request_size ? bytes : request_size, 5);
  answered = true;
}

// Sends to only one other node, so that no two senders share an area.
void SendToNext() {
  const auto source = std::make_unique<char[]>(request_size);
  FillPattern(source.get(), request_size, 5);
  const gasnet_node_t next = (gasnet_mynode() + 1) % gasnet_nodes();
  CHECK_OK(gasnet_AMRequestLong0(next, kRequest, source.get(), request_size,
                                 RequestArea(next)));
  GASNET_BLOCKUNTIL(answered);
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kRequest, OnRequest),
    HANDLER(kReply, OnReply),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers),
                        2 * conformance::kAffordable);
  conformance::ChooseSizes();
  conformance::SendToNext();
  return conformance::FinishJob();
}
