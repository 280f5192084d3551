// Medium requests and replies carry any number of bytes up to
// gasnet_AMMaxMedium(), into a buffer that is aligned for any type. The source
// may be overwritten as soon as the call returns (sections 2.3.1, 2.3.2.2,
// 2.3.3.2 and 2.3.4.2).
#include <string.h>

#include <atomic>
#include <cstddef>
#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply };

std::atomic<int> replies{0};

bool IsAligned(const void* buffer) {
  return reinterpret_cast<uintptr_t>(buffer) % alignof(std::max_align_t) == 0;
}

void OnRequest(gasnet_token_t token, void* buffer, size_t bytes,
               gasnet_handlerarg_t size, gasnet_handlerarg_t key) {
  CHECK_EQ(bytes, size);
  CHECK(bytes == 0 || IsAligned(buffer));
  CHECK_PATTERN(buffer, bytes, key);
  // The handler owns the buffer while it runs, and may write there.
  FillPattern(buffer, bytes, key + 1);
  CHECK_OK(gasnet_AMReplyMedium2(token, kReply, buffer, bytes, size, key + 1));
}

void OnReply(gasnet_token_t, void* buffer, size_t bytes,
             gasnet_handlerarg_t size, gasnet_handlerarg_t key) {
  CHECK_EQ(bytes, size);
  CHECK(bytes == 0 || IsAligned(buffer));
  CHECK_PATTERN(buffer, bytes, key);
  ++replies;
}

// Sends one message of every size, from a source that is not aligned.
int SendAllSizes(gasnet_node_t peer) {
  const size_t limit = gasnet_AMMaxMedium();
  const auto memory = std::make_unique<char[]>(limit + 1);
  char* const source = memory.get() + 1;
  int sent = 0;
  for (size_t size = 0; size <= limit; size = NextSize(size, limit)) {
    const gasnet_handlerarg_t key = sent * 7 + static_cast<int>(peer);
    FillPattern(source, size, key);
    CHECK_OK(gasnet_AMRequestMedium2(peer, kRequest, source, size,
                                     static_cast<gasnet_handlerarg_t>(size),
                                     key));
    memset(source, 0xEE, size);
    ++sent;
  }
  return sent;
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kRequest, OnRequest),
    HANDLER(kReply, OnReply),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 0);
  int sent = 0;
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    sent += conformance::SendAllSizes(peer);
  }
  GASNET_BLOCKUNTIL(conformance::replies == sent);
  return conformance::FinishJob();
}
