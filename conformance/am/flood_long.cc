// Every node floods every other node with Long and LongAsync requests. Each
// request is answered by a Long reply. There is no deadlock (section 2.3).
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kRequest = 128, kReply };

constexpr int kThreads = 3;
constexpr int kRequests = 60;  // from each thread to each node
constexpr size_t kLargest = 2048;

char payload[kLargest];  // read by all threads
std::atomic<int> replies{0};

// Returns a destination in the memory of node `owner`. Half 0 is for request
// `number` from a thread of node `other`. Half 1 is for the reply of node
// `other` to request `number` of node `owner`.
char* Area(gasnet_node_t owner, gasnet_node_t other, int thread, int number,
           int half) {
  const size_t message = (other * kThreads + thread) * kRequests + number;
  return SharedMemory(owner) + (message * 2 + half) * kLargest;
}

void OnRequest(gasnet_token_t token, void* buffer, size_t bytes,
               gasnet_handlerarg_t size, gasnet_handlerarg_t thread,
               gasnet_handlerarg_t number) {
  gasnet_node_t source;
  CHECK_OK(gasnet_AMGetMsgSource(token, &source));
  CHECK_EQ(buffer, Area(gasnet_mynode(), source, thread, number, 0));
  CHECK_EQ(bytes, size);
  CHECK_PATTERN(buffer, bytes, 99);
  CHECK_OK(gasnet_AMReplyLong1(token, kReply, payload, bytes,
                               Area(source, gasnet_mynode(), thread, number, 1),
                               size));
}

void OnReply(gasnet_token_t, void* buffer, size_t bytes,
             gasnet_handlerarg_t size) {
  CHECK_EQ(bytes, size);
  CHECK_PATTERN(buffer, bytes, 99);
  ++replies;
}

void Send(gasnet_node_t peer, int thread, int number, size_t size) {
  char* const there = Area(peer, gasnet_mynode(), thread, number, 0);
  const gasnet_handlerarg_t bytes = static_cast<gasnet_handlerarg_t>(size);
  if (number % 2 == 0) {
    CHECK_OK(gasnet_AMRequestLongAsync3(peer, kRequest, payload, size, there,
                                        bytes, thread, number));
  } else {
    CHECK_OK(gasnet_AMRequestLong3(peer, kRequest, payload, size, there, bytes,
                                   thread, number));
  }
}

void Flood(int thread) {
  Random random(gasnet_mynode() * kThreads + thread);
  for (int number = 0; number < kRequests; ++number) {
    const size_t size = 1 + random.Below(kLargest);
    for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
      Send(peer, thread, number, size);
    }
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
  conformance::FillPattern(conformance::payload, conformance::kLargest, 99);
  const int requests = conformance::kThreads * conformance::kRequests *
                       static_cast<int>(gasnet_nodes());
  conformance::AttachJob(handlers, COUNT_OF(handlers),
                         2 * requests * conformance::kLargest);
  conformance::RunThreads(conformance::kThreads, conformance::Flood);
  GASNET_BLOCKUNTIL(conformance::replies == requests);
  return conformance::FinishJob();
}
