// A handler must return. If an exception or the end of its thread leaves a
// handler, the job ends with a message that names the handler. The job ends
// even if callers catch the exception. If it went on, messages that arrived
// together with this one would be lost silently. The argument chooses how the
// last node leaves the handler.
#include <pthread.h>

#include <stdexcept>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kThrow = 140, kThrowOfPayload, kThrowNumber, kAsk, kAnswer, kLeave };

char text[] = "text";

void Throw(gasnet_token_t) { throw std::runtime_error("of a handler"); }
void ThrowOfPayload(gasnet_token_t, void*, size_t) { Throw(nullptr); }
void ThrowNumber(gasnet_token_t, gasnet_handlerarg_t number) { throw number; }
void Ask(gasnet_token_t token) {
  CHECK_OK(gasnet_AMReplyShort0(token, kAnswer));
}
void Answer(gasnet_token_t) { throw std::logic_error("of an answer"); }
void Leave(gasnet_token_t) { pthread_exit(nullptr); }

gasnet_node_t Last() { return gasnet_nodes() - 1; }

void SendShort() { CHECK_OK(gasnet_AMRequestShort0(Last(), kThrow)); }
void SendMedium() {
  CHECK_OK(gasnet_AMRequestMedium0(Last(), kThrowOfPayload, text, sizeof text));
}
void SendLong() {
  CHECK_OK(gasnet_AMRequestLong0(Last(), kThrowOfPayload, text, sizeof text,
                                 SharedMemory(Last())));
}
void SendNumber() { CHECK_OK(gasnet_AMRequestShort1(Last(), kThrowNumber, 7)); }
void SendForAnswer() { CHECK_OK(gasnet_AMRequestShort0(Last(), kAsk)); }
void SendToLeave() { CHECK_OK(gasnet_AMRequestShort0(Last(), kLeave)); }

constexpr Case kCases[] = {
    {"short", SendShort},   {"medium", SendMedium},   {"long", SendLong},
    {"number", SendNumber}, {"reply", SendForAnswer}, {"thread", SendToLeave},
};

// Catches all exceptions, as a client's loop may.
template <class Work>
void CatchAll(Work work) {
  try {
    work();
  } catch (const std::exception&) {
  } catch (int) {
  }
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kThrow, Throw),
    HANDLER(kThrowOfPayload, ThrowOfPayload),
    HANDLER(kThrowNumber, ThrowNumber),
    HANDLER(kAsk, Ask),
    HANDLER(kAnswer, Answer),
    HANDLER(kLeave, Leave),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartJob(&argc, &argv, handlers, COUNT_OF(handlers), GASNET_PAGESIZE);
  if (gasnet_mynode() == 0) {
    CatchAll([&] { RunCase(argc, argv, kCases, COUNT_OF(kCases)); });
  }
  // The messages arrive as a batch: some follow the one whose handler throws.
  for (;;) CatchAll([] { CHECK_OK(gasnet_AMPoll()); });
}
