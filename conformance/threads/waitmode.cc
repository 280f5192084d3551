// gasnet_set_waitmode accepts its three values, and refuses any other value.
// The values may differ among nodes. Waiting works in each mode (section
// 3.6.2.1).
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply };

constexpr int kModes[] = {GASNET_WAIT_SPIN, GASNET_WAIT_BLOCK,
                          GASNET_WAIT_SPINBLOCK};

std::atomic<int> replies{0};
int asked = 0;

void OnRequest(gasnet_token_t token) {
  CHECK_OK(gasnet_AMReplyShort0(token, kReply));
}

void OnReply(gasnet_token_t) { ++replies; }

// Waits for a reply, for a transfer and for a barrier.
void WaitInEveryWay() {
  const gasnet_node_t next = (gasnet_mynode() + 1) % gasnet_nodes();
  CHECK_OK(gasnet_AMRequestShort0(next, kRequest));
  ++asked;
  GASNET_BLOCKUNTIL(replies == asked);
  gasnet_put_val(next, SharedMemory(next), asked, 8);
  CHECK_EQ(gasnet_get_val(next, SharedMemory(next), 8), asked);
  Barrier();
}

// Returns a value that is not one of the three modes.
int BadMode() {
  int mode = 0;
  for (int known : kModes) mode = known >= mode ? known + 1 : mode;
  return mode;
}

void TestModes() {
  for (int mode : kModes) {
    CHECK_OK(gasnet_set_waitmode(mode));
    for (int i = 0; i < 3; ++i) WaitInEveryWay();
  }
  CHECK_RESULT(gasnet_set_waitmode(BadMode()), GASNET_ERR_BAD_ARG);
  CHECK_RESULT(gasnet_set_waitmode(-12345), GASNET_ERR_BAD_ARG);
  WaitInEveryWay();
  CHECK_OK(gasnet_set_waitmode(kModes[gasnet_mynode() % 3]));
  for (int i = 0; i < 3; ++i) WaitInEveryWay();
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
                        GASNET_PAGESIZE);
  conformance::TestModes();
  return conformance::FinishJob();
}
