// All nodes flood one node. This node cannot keep up. The senders are held
// back, and no message is lost (section 2.3).
#include <atomic>
#include <memory>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply };

constexpr int kRequests = 300;
constexpr size_t kBytes = 500;

std::atomic<int> requests{0};
std::atomic<int> replies{0};

void OnRequest(gasnet_token_t token, void* buffer, size_t bytes,
               gasnet_handlerarg_t number) {
  CHECK_EQ(bytes, kBytes);
  CHECK_PATTERN(buffer, bytes, number);
  ++requests;
  CHECK_OK(gasnet_AMReplyShort0(token, kReply));
}

void OnReply(gasnet_token_t) { ++replies; }

void FloodNodeZero() {
  char payload[kBytes];
  for (int number = 0; number < kRequests; ++number) {
    FillPattern(payload, kBytes, number);
    CHECK_OK(gasnet_AMRequestMedium1(0, kRequest, payload, kBytes, number));
  }
  GASNET_BLOCKUNTIL(replies == kRequests);
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
  conformance::FloodNodeZero();
  conformance::Barrier();
  const int nodes = static_cast<int>(gasnet_nodes());
  CHECK_EQ(conformance::requests,
           gasnet_mynode() == 0 ? nodes * conformance::kRequests : 0);
  return conformance::FinishJob();
}
