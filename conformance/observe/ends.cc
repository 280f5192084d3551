// A process writes its statistics at every kind of end, except a crash.
#include <stdlib.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kExit = 200 };

constexpr int kPolls = 7;

void OnExit(gasnet_token_t) { gasnet_exit(0); }

gasnet_handlerentry_t handlers[] = {HANDLER(kExit, OnExit)};

void ByHandler() {
  // All nodes have polled by now. So the handler ends no node too early.
  Barrier();
  if (gasnet_mynode() == 0) {
    CHECK_OK(gasnet_AMRequestShort0(gasnet_nodes() - 1, kExit));
  }
  GASNET_BLOCKUNTIL(false);
}
void ByGasnetExit() {
  Barrier();
  gasnet_exit(0);
}
void ByExit() {
  Barrier();
  exit(0);
}
void ByReturn() { Barrier(); }

const Case cases[] = {
    {"handler", ByHandler},
    {"gasnet_exit", ByGasnetExit},
    {"exit", ByExit},
    {"return", ByReturn},
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 0);
  for (int i = 0; i < kPolls; ++i) CHECK_OK(gasnet_AMPoll());
  RunCase(argc, argv, cases, COUNT_OF(cases));
  return 0;
}
