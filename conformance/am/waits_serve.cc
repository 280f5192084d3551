// A call that waits serves the network at least once, even if its condition is
// already true. A node that never has to wait would otherwise keep the other
// nodes waiting (sections 2.3.5.2, 3.3.3, 3.3.5 and 3.5).
//
// Node 0 only waits for conditions that are already true. The other nodes send
// requests to node 0, or enter the barrier. They notify node 0 by signals, and
// not through GASNet.
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <vector>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kLearnProcess = 128, kRequest, kGoOn };

constexpr int kPhases = 30;
constexpr int kFlags = GASNET_BARRIERFLAG_ANONYMOUS;

std::atomic<pid_t> process_of_first{0};
std::atomic<int> handled{0};
std::atomic<int> allowed{0};
bool shares_memory = true;

void LearnProcess(gasnet_token_t, gasnet_handlerarg_t process) {
  process_of_first = process;
}
void OnRequest(gasnet_token_t) { ++handled; }
void OnGoOn(gasnet_token_t) { ++allowed; }

int Others() { return static_cast<int>(gasnet_nodes()) - 1; }

sigset_t OurSignal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);  // real-time signals queue up, others do not
  return set;
}

void AwaitSignals() {
  const sigset_t set = OurSignal();
  for (int seen = 0; seen < Others();) {
    if (sigwaitinfo(&set, nullptr) == SIGRTMIN) ++seen;
  }
}

void Signal() { CHECK_EQ(sigqueue(process_of_first, SIGRTMIN, sigval{}), 0); }

// Checks that the messages of this round were handled. This check needs shared
// memory, where a message has arrived once it is sent. There may be more
// messages: a node that leaves a barrier may already have sent messages of the
// next phase.
void CheckHandled(int rounds) {
  if (shares_memory) CHECK(handled >= rounds * Others());
}

void WaitForInvalidHandle() { gasnet_wait_syncnb(GASNET_INVALID_HANDLE); }
void WaitForAllOfNone() { gasnet_wait_syncnb_all(nullptr, 0); }
void WaitForSomeOfNone() {
  gasnet_handle_t handles[2] = {GASNET_INVALID_HANDLE, GASNET_INVALID_HANDLE};
  gasnet_wait_syncnb_some(handles, 2);
}
void BlockUntilTrue() { GASNET_BLOCKUNTIL(true); }
void WaitForValue() {
  gasnet_wait_syncnb_valget(
      gasnet_get_nb_val(gasnet_mynode(), SharedMemory(gasnet_mynode()), 8));
}

void (*const kCalls[])() = {
    WaitForInvalidHandle,     WaitForAllOfNone,
    WaitForSomeOfNone,        gasnet_wait_syncnbi_gets,
    gasnet_wait_syncnbi_puts, BlockUntilTrue,
    gasnet_wait_syncnbi_all,  WaitForValue,
};

void CallEach() {
  for (int round = 1; round <= COUNT_OF(kCalls); ++round) {
    AwaitSignals();
    kCalls[round - 1]();
    CheckHandled(round);
    while (handled != round * Others()) kCalls[round - 1]();
    for (gasnet_node_t peer = 1; peer < gasnet_nodes(); ++peer) {
      CHECK_OK(gasnet_AMRequestShort0(peer, kGoOn));
    }
  }
}

void SendForEach() {
  for (int round = 1; round <= COUNT_OF(kCalls); ++round) {
    CHECK_OK(gasnet_AMRequestShort0(0, kRequest));
    Signal();
    GASNET_BLOCKUNTIL(allowed == round);
  }
}

void Complete(int phase) {
  if (phase % 3 == 0) {
    CHECK_OK(gasnet_barrier(0, kFlags));
    return;
  }
  gasnet_barrier_notify(0, kFlags);
  if (phase % 3 == 1) {
    CHECK_OK(gasnet_barrier_wait(0, kFlags));
  } else {
    while (gasnet_barrier_try(0, kFlags) != GASNET_OK) {
    }
  }
}

void ArriveLast(int before) {
  for (int phase = 1; phase <= kPhases; ++phase) {
    AwaitSignals();
    Complete(phase);
    CheckHandled(before + phase);
  }
  CHECK(handled > before * Others());
}

void ArriveFirst() {
  for (int phase = 1; phase <= kPhases; ++phase) {
    CHECK_OK(gasnet_AMRequestShort0(0, kRequest));
    gasnet_barrier_notify(0, kFlags);
    Signal();
    CHECK_OK(gasnet_barrier_wait(0, kFlags));
  }
}

void Introduce() {
  std::vector<gasnet_nodeinfo_t> info(gasnet_nodes());
  CHECK_OK(gasnet_getNodeInfo(info.data(), static_cast<int>(info.size())));
  for (const gasnet_nodeinfo_t& node : info) {
    if (node.supernode != info[0].supernode) shares_memory = false;
  }
  if (gasnet_mynode() == 0) {
    for (gasnet_node_t peer = 0; peer < gasnet_nodes(); ++peer) {
      CHECK_OK(gasnet_AMRequestShort1(peer, kLearnProcess, getpid()));
    }
  }
  GASNET_BLOCKUNTIL(process_of_first != 0);
  Barrier();
}

void Run() {
  Introduce();
  const bool first = gasnet_mynode() == 0;
  first ? CallEach() : SendForEach();
  first ? ArriveLast(COUNT_OF(kCalls)) : ArriveFirst();
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kLearnProcess, LearnProcess),
    HANDLER(kRequest, OnRequest),
    HANDLER(kGoOn, OnGoOn),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  const sigset_t set = conformance::OurSignal();
  // also blocked in threads created later
  sigprocmask(SIG_BLOCK, &set, nullptr);
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers),
                        GASNET_PAGESIZE);
  conformance::Run();
  return conformance::FinishJob();
}
