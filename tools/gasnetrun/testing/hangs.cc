// A program for tests of the status of jobs. The job hangs because of its last
// node, in the way that the first argument names. The last node computes, or,
// if the second argument says so, sleeps or is stopped. Before that, node 0
// prints "ready". In some ways the last node waits too. Then node 0 reads a
// line from stdin, and sends the last node a message whose handler never ends.
#include <gasnet.h>
#include <gasnet_coll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <latch>
#include <thread>

namespace {

enum : gasnet_handler_t { kRequest = 200, kReply };

const char* how = "";
const char* meanwhile = "computes";
std::atomic<int> replies{0};
std::atomic<unsigned> computed{0};
gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;

bool Is(const char* way) { return strcmp(how, way) == 0; }

[[noreturn]] void HoldUp() {
  if (strcmp(meanwhile, "stopped") == 0) raise(SIGSTOP);
  if (strcmp(meanwhile, "sleeps") == 0) {
    for (;;) pause();
  }
  for (;;) computed.fetch_add(1);
}

bool IsLast() { return gasnet_mynode() + 1 == gasnet_nodes(); }

void OnRequest(gasnet_token_t token) {
  if ((Is("handler") || Is("late")) && IsLast()) HoldUp();
  if (Is("lock") && IsLast()) gasnet_hsl_lock(&lock);
  gasnet_AMReplyShort0(token, kReply);
}
void OnReply(gasnet_token_t) { ++replies; }

void Attach() {
  gasnet_handlerentry_t handlers[] = {
      {kRequest, reinterpret_cast<void (*)()>(OnRequest)},
      {kReply, reinterpret_cast<void (*)()>(OnReply)}};
  if (gasnet_attach(handlers, 2, GASNET_PAGESIZE, 0) != GASNET_OK) exit(2);
  gasnet_coll_init(nullptr, 0, nullptr, 0, 0);
}

void Barrier() {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

[[noreturn]] void Flood(gasnet_node_t to) {
  for (;;) gasnet_AMRequestShort0(to, kRequest);
}

// Sends requests until a reply is missing. `node` may answer some requests
// before it computes.
[[noreturn]] void AskFor(gasnet_node_t node) {
  for (int asked = 1;; ++asked) {
    gasnet_AMRequestShort0(node, kRequest);
    GASNET_BLOCKUNTIL(replies >= asked);
  }
}

void GatherAll() {
  int mine = 0;
  void* const all = malloc(gasnet_nodes() * sizeof mine);
  gasnet_coll_gather_all(
      GASNET_TEAM_ALL, all, &mine, sizeof mine,
      GASNET_COLL_LOCAL | GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC);
  free(all);
}

// Makes a thread that takes the lock and keeps it.
void KeepLock() {
  std::latch locked(1);
  std::thread([&] {
    gasnet_hsl_lock(&lock);
    locked.count_down();
    HoldUp();
  }).detach();
  locked.wait();
}

// Waits for the last node, as the first argument says.
void WaitForLast() {
  const gasnet_node_t last = gasnet_nodes() - 1;
  if (Is("collective")) return GatherAll();
  if (Is("ring")) Flood(gasnet_mynode() + 1);
  if (Is("late") || Is("lock")) {
    if (gasnet_mynode() != 0) return Barrier();
    getchar();
    Flood(last);
  }
  if (Is("room") || Is("handler")) Flood(last);
  if (Is("reply")) AskFor(last);
  Barrier();
}

// Returns this node's number, even before gasnet_init.
unsigned Rank() {
  const char* const job = getenv("GASNET_JOB");
  const char* const at = job != nullptr ? strstr(job, "rank=") : nullptr;
  return at != nullptr ? static_cast<unsigned>(atoi(at + 5)) : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) how = argv[1];
  if (argc > 2) meanwhile = argv[2];
  if (Is("init") && Rank() == 1) HoldUp();
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 2;
  if (Is("attach") && IsLast()) HoldUp();
  Attach();
  Barrier();
  if (Is("nothing")) gasnet_exit(0);
  if (gasnet_mynode() == 0) puts("ready");
  // The last node waits here, and then computes in a handler.
  if (Is("handler") && IsLast()) Barrier();
  if (Is("lock") && IsLast()) KeepLock();
  if (IsLast() && !Is("late") && !Is("lock")) HoldUp();
  WaitForLast();
  gasnet_exit(0);
}
