// Messages with a payload of no bytes. The source address is ignored. The
// handler runs with its arguments and a length of 0 (sections 2.3.3 and 2.3.4).
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kMediumRequest = 128, kLongRequest, kReply };

std::atomic<int> replies{0};

// Addresses that must not be read.
void* const kSources[] = {nullptr, reinterpret_cast<void*>(uintptr_t{1}),
                          reinterpret_cast<void*>(~uintptr_t{0})};

void OnMediumRequest(gasnet_token_t token, void*, size_t bytes,
                     gasnet_handlerarg_t which) {
  CHECK_EQ(bytes, 0);
  CHECK_OK(gasnet_AMReplyMedium1(token, kReply, kSources[which], 0, which));
}

void OnLongRequest(gasnet_token_t token, void*, size_t bytes,
                   gasnet_handlerarg_t which) {
  CHECK_EQ(bytes, 0);
  gasnet_node_t source;
  CHECK_OK(gasnet_AMGetMsgSource(token, &source));
  CHECK_OK(gasnet_AMReplyLong1(token, kReply, kSources[which], 0,
                               SharedMemory(source), which));
}

void OnReply(gasnet_token_t, void*, size_t bytes, gasnet_handlerarg_t which) {
  CHECK_EQ(bytes, 0);
  CHECK(which >= 0 && which < COUNT_OF(kSources));
  ++replies;
}

int SendAllKinds(gasnet_node_t peer) {
  char* const memory = SharedMemory(peer);
  for (int i = 0; i < COUNT_OF(kSources); ++i) {
    void* const source = kSources[i];
    CHECK_OK(gasnet_AMRequestMedium1(peer, kMediumRequest, source, 0, i));
    CHECK_OK(gasnet_AMRequestLong1(peer, kLongRequest, source, 0, memory, i));
    CHECK_OK(
        gasnet_AMRequestLongAsync1(peer, kLongRequest, source, 0, memory, i));
  }
  return 3 * COUNT_OF(kSources);
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kMediumRequest, OnMediumRequest),
    HANDLER(kLongRequest, OnLongRequest),
    HANDLER(kReply, OnReply),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers),
                        GASNET_PAGESIZE);
  int sent = 0;
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    sent += conformance::SendAllKinds(peer);
  }
  GASNET_BLOCKUNTIL(conformance::replies == sent);
  return conformance::FinishJob();
}
