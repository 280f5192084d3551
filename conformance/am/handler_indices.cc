// A call that sends a message to an illegal handler index returns
// GASNET_ERR_BAD_ARG, for every category, and sends nothing. The indices below
// 128 are GASNet's own. An index above 255 is not truncated to a legal one
// (sections 1.6 and 2.1.0.2).
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kAnswer = 128, kDone, kLast = 255 };

// Illegal indices. Their type is int, because programs may compute indices as
// int.
constexpr int kWrong[] = {0,   1,   3,   11,  96,    127, 256,  257,
                          384, 385, 511, 640, 65664, -1,  -127, -128};

std::atomic<int> done{0};
std::atomic<int> others{0};
char text[] = "text";

void OnDone(gasnet_token_t) { ++done; }
void OnLast(gasnet_token_t) { ++others; }

void OnAnswer(gasnet_token_t token) {
  gasnet_node_t source;
  CHECK_OK(gasnet_AMGetMsgSource(token, &source));
  char* const there = SharedMemory(source);
  for (const int index : kWrong) {
    CHECK_RESULT(gasnet_AMReplyShort1(token, index, 7), GASNET_ERR_BAD_ARG);
    CHECK_RESULT(gasnet_AMReplyShort(token, index, 1, 7), GASNET_ERR_BAD_ARG);
    CHECK_RESULT(gasnet_AMReplyMedium0(token, index, text, 4),
                 GASNET_ERR_BAD_ARG);
    CHECK_RESULT(gasnet_AMReplyMedium(token, index, text, 4, 0),
                 GASNET_ERR_BAD_ARG);
    CHECK_RESULT(gasnet_AMReplyLong0(token, index, text, 4, there),
                 GASNET_ERR_BAD_ARG);
    CHECK_RESULT(gasnet_AMReplyLong(token, index, text, 4, there, 0),
                 GASNET_ERR_BAD_ARG);
  }
  // The handler may still reply once: none of the failed calls counts as its
  // reply.
  CHECK_OK(gasnet_AMReplyShort0(token, kDone));
}

void SendTo(gasnet_node_t peer) {
  char* const there = SharedMemory(peer);
  for (const int index : kWrong) {
    CHECK_RESULT(gasnet_AMRequestShort5(peer, index, 1, 2, 3, 4, 5),
                 GASNET_ERR_BAD_ARG);
    CHECK_RESULT(gasnet_AMRequestShort(peer, index, 1, 2), GASNET_ERR_BAD_ARG);
    CHECK_RESULT(gasnet_AMRequestMedium0(peer, index, text, 4),
                 GASNET_ERR_BAD_ARG);
    CHECK_RESULT(gasnet_AMRequestMedium(peer, index, text, 4, 0),
                 GASNET_ERR_BAD_ARG);
    CHECK_RESULT(gasnet_AMRequestLong0(peer, index, text, 4, there),
                 GASNET_ERR_BAD_ARG);
    CHECK_RESULT(gasnet_AMRequestLong(peer, index, text, 4, there, 0),
                 GASNET_ERR_BAD_ARG);
    CHECK_RESULT(gasnet_AMRequestLongAsync0(peer, index, text, 4, there),
                 GASNET_ERR_BAD_ARG);
    CHECK_RESULT(gasnet_AMRequestLongAsync(peer, index, text, 4, there, 0),
                 GASNET_ERR_BAD_ARG);
  }
  CHECK_OK(gasnet_AMRequestShort0(peer, kAnswer));
  CHECK_OK(gasnet_AMRequestShort0(peer, kLast));
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kAnswer, OnAnswer),
    HANDLER(kDone, OnDone),
    HANDLER(kLast, OnLast),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers),
                        GASNET_PAGESIZE);
  for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
    conformance::SendTo(peer);
  }
  const int nodes = static_cast<int>(gasnet_nodes());
  GASNET_BLOCKUNTIL(conformance::done == nodes && conformance::others == nodes);
  // The failed calls do not affect the barrier.
  conformance::Barrier();
  return conformance::FinishJob();
}
