// gasnet_exit of one process ends all processes, with its exit code. So do exit
// and a return from main (GASNet-EX, section 5.6). The argument selects how the
// process ends; the test runner checks the exit code.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>

#include "conformance/ex/ex_harness.h"

namespace conformance {
namespace {

enum { kExit = 200 };

void OnExit(gex_Token_t, gex_AM_Arg_t code) { gasnet_exit(code); }

bool Is(char** argv, const char* how) { return strcmp(argv[1], how) == 0; }

[[noreturn]] void ServeForever() {
  for (;;) CHECK_OK(gasnet_AMPoll());
}

gex_AM_Entry_t handlers[] = {
    EX_HANDLER(kExit, OnExit, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  JoinEx(&argc, &argv, handlers, COUNT_OF(handlers));
  const bool is_last = Me() == Size() - 1;
  if (Is(argv, "before_attach")) {
    if (is_last) gasnet_exit(42);
    ServeForever();
  }
  // gex_Segment_Attach is a barrier. The other processes still wait in it.
  if (Is(argv, "while_attaching") && is_last) gasnet_exit(42);
  CHECK_OK(gex_Segment_Attach(&segment, conformance::tm, GASNET_PAGESIZE));
  if (Is(argv, "one")) {
    if (is_last) gasnet_exit(42);
    ServeForever();
  }
  if (Is(argv, "in_handler")) {
    if (is_last) {
      CHECK_EQ(gex_AM_RequestShort1(conformance::tm, 0, kExit, 0, 42), 0);
    }
    ServeForever();
  }
  if (Is(argv, "while_preparing")) {
    if (!is_last) ServeForever();
    CHECK(gex_AM_PrepareRequestMedium(conformance::tm, 0, nullptr, 9, 9,
                                      nullptr, 0, 0) != GEX_AM_SRCDESC_NO_OP);
    gasnet_exit(42);
  }
  Barrier();
  // The other processes get some time to end, and are then ended.
  if (Is(argv, "one_returns")) {
    if (is_last) return 0;
    ServeForever();
  }
  if (Is(argv, "one_fails")) {
    if (is_last) exit(42);
    ServeForever();
  }
  // Rank 0 works for longer than the launcher waits after a failure. No process
  // fails, so rank 0 must be able to finish. exit_policy_test tests the
  // launcher's times with a simulated clock.
  if (Is(argv, "late")) {
    if (Me() == 0) {
      usleep(700000);
      printf("late\n");
    }
    gasnet_exit(0);
  }
  if (Is(argv, "exit")) exit(42);
  return 42;
}
