// A client need not call gasnet_exit: a node may return from main() or call
// exit() (section 2.1.0.5). If its code is 0, the node ends no other node, and
// its messages arrive. The argument selects the nodes and how they end. The
// job's exit code is the worst code of all nodes. The runner checks this code,
// and counts the lines.
#include <stdlib.h>
#include <unistd.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kTurn = 128 };

volatile unsigned turns = 0;
void OnTurn(gasnet_token_t) { turns = turns + 1; }

bool IsFirst() { return gasnet_mynode() == 0; }
bool IsLast() { return gasnet_mynode() == gasnet_nodes() - 1; }

void Say() {
  printf("node %u leaves\n", static_cast<unsigned>(gasnet_mynode()));
  fflush(stdout);
}

// Leaves after the previous node's message has arrived. The previous node ends
// right after it has sent this message.
void LeaveInTurn(void (*leave)(int)) {
  if (!IsFirst()) GASNET_BLOCKUNTIL(turns == 1);
  Say();
  if (!IsLast()) CHECK_OK(gasnet_AMRequestShort0(gasnet_mynode() + 1, kTurn));
  leave(0);
}

void InTurn() { LeaveInTurn(exit); }
void InTurnQuickly() { LeaveInTurn(quick_exit); }

// Ends node 0 by _exit(), without notice. The messages of node 0 may be lost,
// so no node waits for any of them.
void FirstVanishes() {
  Say();
  if (!IsFirst()) CHECK_OK(gasnet_AMRequestShort0(0, kTurn));
  if (IsFirst()) {
    GASNET_BLOCKUNTIL(turns == gasnet_nodes() - 1);
    _exit(0);
  }
  Say();
  exit(0);
}

void LastFails() {
  Barrier();
  exit(IsLast() ? 7 : 0);
}

void FirstFails() {
  Barrier();
  exit(IsFirst() ? 3 : 0);
}

void WaitForever() {
  volatile bool never = false;
  GASNET_BLOCKUNTIL(never);
}

void FirstFailsAndOthersWait() {
  if (IsFirst()) exit(3);
  WaitForever();
}

void ThenOneExits() {
  if (IsFirst()) exit(0);
  if (IsLast()) gasnet_exit(5);
  WaitForever();
}

void ThenOneCrashes() {
  if (IsFirst()) exit(3);
  if (IsLast()) abort();
  WaitForever();
}

// Lets the last node exit with 0 under GASNET_CATCH_EXIT.
void ZeroIsCaught() {
  if (IsLast()) exit(0);
  WaitForever();
}
void NineIsCaught() {
  if (IsLast()) exit(9);
  WaitForever();
}

constexpr Case kCases[] = {
    {"in_turn", InTurn},
    {"in_turn_quickly", InTurnQuickly},
    {"first_vanishes", FirstVanishes},
    {"last_fails", LastFails},
    {"first_fails", FirstFails},
    {"first_fails_and_others_wait", FirstFailsAndOthersWait},
    {"then_one_exits", ThenOneExits},
    {"then_one_crashes", ThenOneCrashes},
    {"zero_is_caught", ZeroIsCaught},
    {"nine_is_caught", NineIsCaught},
};

gasnet_handlerentry_t handlers[] = {HANDLER(kTurn, OnTurn)};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  using conformance::kCases;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers), 0);
  conformance::RunCase(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
