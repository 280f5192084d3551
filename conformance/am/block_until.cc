// GASNET_BLOCKUNTIL takes any expression. It evaluates the expression at least
// once, until it is true, and serves the network while it waits. The macro is a
// single statement (section 2.3.5.2).
#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kPing = 128, kPong };

std::atomic<int> pings{0};
std::atomic<int> pongs{0};

void Ping(gasnet_token_t token) {
  ++pings;
  CHECK_OK(gasnet_AMReplyShort0(token, kPong));
}

void Pong(gasnet_token_t) { ++pongs; }

void SendPing() {
  const gasnet_node_t next = (gasnet_mynode() + 1) % gasnet_nodes();
  CHECK_OK(gasnet_AMRequestShort0(next, kPing));
}

bool Both(int first, int second) { return pings >= first && pongs >= second; }

// Checks that the macro returns at once if the condition is already true, for a
// condition of any type.
void AlreadyTrue() {
  int evaluations = 0;
  GASNET_BLOCKUNTIL(++evaluations);
  CHECK(evaluations >= 1);
  const char* pointer = "not null";
  GASNET_BLOCKUNTIL(pointer);
  GASNET_BLOCKUNTIL(2 > 1 ? 1 : 0);
}

void ComplexConditions(int rounds) {
  SendPing();
  int evaluations = 0;
  GASNET_BLOCKUNTIL((++evaluations, Both(rounds, rounds)));
  CHECK(evaluations >= 1);
  CHECK(Both(rounds, rounds));
}

// Uses the macro as one statement, with no braces around it.
void AsStatement(bool wait) {
  SendPing();
  if (wait)
    GASNET_BLOCKUNTIL(pongs == 3);
  else
    GASNET_BLOCKUNTIL(true);
  CHECK_EQ(pongs, 3);
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kPing, Ping),
    HANDLER(kPong, Pong),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 0);
  conformance::AlreadyTrue();
  conformance::ComplexConditions(1);
  conformance::ComplexConditions(2);
  conformance::AsStatement(true);
  return conformance::FinishJob();
}
