// SIGQUIT tells a node that the job is ending. The node may catch the signal,
// clean up, and call gasnet_exit itself (section 2.1.0.5). The argument selects
// the cause of the end. The runner counts the lines that the nodes print.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

volatile sig_atomic_t caught = 0;

void OnQuit(int) { caught = 1; }

void AwaitSignal() {
  while (!caught) CHECK_OK(gasnet_AMPoll());
  printf("node %u caught SIGQUIT\n", static_cast<unsigned>(gasnet_mynode()));
  gasnet_exit(0);
}

// Calls gasnet_exit directly in the handler of the signal.
void ExitOnQuit(int) {
  const char line[] = "a node caught SIGQUIT\n";
  if (write(STDOUT_FILENO, line, sizeof(line) - 1) < 0) abort();
  gasnet_exit(0);
}

bool IsLast() { return gasnet_mynode() == gasnet_nodes() - 1; }

void PeerExits() {
  if (IsLast()) gasnet_exit(42);
  AwaitSignal();
}

void PeerExitsWhileWaiting() {
  signal(SIGQUIT, ExitOnQuit);
  Barrier();
  if (IsLast()) gasnet_exit(42);
  Barrier();
}

void PeerCrashes() {
  if (IsLast()) raise(SIGKILL);
  AwaitSignal();
}

// Waits for a signal to the job. The runner sends the signal when it reads
// "ready".
void JobSignalled() {
  Barrier();
  if (gasnet_mynode() == 0) {
    printf("ready\n");
    fflush(stdout);
  }
  AwaitSignal();
}

constexpr Case kCases[] = {
    {"peer_exits", PeerExits},
    {"peer_exits_while_waiting", PeerExitsWhileWaiting},
    {"peer_crashes", PeerCrashes},
    {"job_signalled", JobSignalled},
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::kCases;
  conformance::InitJob(&argc, &argv);
  signal(SIGQUIT, conformance::OnQuit);
  conformance::AttachJob(nullptr, 0, 0);
  conformance::RunCase(argc, argv, kCases, COUNT_OF(kCases));
  return 1;
}
