// Calls of GASNet are not cancellation points. A thread that is cancelled in a
// call ends after the call, at its own next cancellation point. The node goes
// on. A thread that ended inside a call might leave a lock held, or a message
// half sent. The argument selects what the cancelled threads do.
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kCount = 150, kStop };

constexpr int kThreads = 20;
constexpr int kSleepers = 3;

std::atomic<int> counted{0};
std::atomic<gasnet_node_t> finished{0};
std::atomic<int> rounds{0};
std::atomic<pid_t> sleeper{0};
std::atomic<bool> woken{false};
thread_local bool inside = false;

void OnCount(gasnet_token_t, void*, size_t) { ++counted; }
void OnStop(gasnet_token_t) { ++finished; }

// An object on the stack of each thread. Its destructor runs when a cancelled
// thread unwinds its stack, and checks that the thread is not in a call of
// GASNet.
struct EndsOutside {
  ~EndsOutside() { CHECK(!inside); }
};

template <class Call>
void Inside(Call call) {
  inside = true;
  call();
  inside = false;
}

void MakeCalls(gasnet_node_t peer, char* data, size_t nbytes) {
  char* const there = SharedMemory(peer) + gasnet_mynode() * nbytes;
  Inside([] { CHECK_OK(gasnet_AMPoll()); });
  Inside(
      [&] { CHECK_OK(gasnet_AMRequestMedium0(peer, kCount, data, nbytes)); });
  Inside([&] { gasnet_put(peer, there, data, nbytes); });
  Inside([&] { gasnet_get(data, peer, there, nbytes); });
}

void* Call(void*) {
  const EndsOutside ends_outside;
  char data[512] = {};
  for (gasnet_node_t peer = 0;; peer = (peer + 1) % gasnet_nodes()) {
    MakeCalls(peer, data, sizeof data);
    ++rounds;
    pthread_testcancel();
  }
}

void* Sleep(void*) {
  const EndsOutside ends_outside;
  sleeper = static_cast<pid_t>(syscall(SYS_gettid));
  Inside([] { GASNET_BLOCKUNTIL(woken); });
  for (;;) pthread_testcancel();
}

pthread_t Start(void* (*body)(void*)) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, nullptr, body, nullptr), 0);
  return thread;
}

void RequireCancelled(pthread_t thread) {
  void* result = nullptr;
  while (pthread_tryjoin_np(thread, &result) != 0) CHECK_OK(gasnet_AMPoll());
  CHECK(result == PTHREAD_CANCELED);
}

// Cancels a thread after it has run `after` rounds. The thread may be anywhere
// in its loop at that time.
void CancelOneThatCalls(int after) {
  const int before = rounds;
  const pthread_t thread = Start(Call);
  while (rounds - before < after) CHECK_OK(gasnet_AMPoll());
  CHECK_EQ(pthread_cancel(thread), 0);
  RequireCancelled(thread);
}

// Cancels the only thread that waits in GASNet. This thread also watches the
// network.
void CancelOneAsleep() {
  woken = false;
  sleeper = 0;
  const pthread_t thread = Start(Sleep);
  while (sleeper == 0 || !IsAsleep(sleeper)) continue;
  CHECK_EQ(pthread_cancel(thread), 0);
  woken = true;
  CHECK_OK(gasnet_AMRequestMedium0(gasnet_mynode(), kCount, nullptr, 0));
  RequireCancelled(thread);
}

void CancelAll(const char* which) {
  if (strcmp(which, "calling") == 0) {
    for (int i = 0; i < kThreads; ++i) CancelOneThatCalls(1 + i % 3);
  } else {
    for (int i = 0; i < kSleepers; ++i) CancelOneAsleep();
  }
}

gasnet_handlerentry_t handlers[] = {
    HANDLER(kCount, OnCount),
    HANDLER(kStop, OnStop),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  StartJob(&argc, &argv, handlers, COUNT_OF(handlers), GASNET_PAGESIZE);
  CHECK_EQ(argc, 2);
  CancelAll(argv[1]);
  for (gasnet_node_t i = 0; i < gasnet_nodes(); ++i) {
    CHECK_OK(gasnet_AMRequestShort0(i, kStop));
  }
  while (finished < gasnet_nodes()) CHECK_OK(gasnet_AMPoll());
  return FinishJob();
}
