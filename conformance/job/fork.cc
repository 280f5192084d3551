// A process that a node forks is not a node (section 2.1.0.5 is about nodes).
// It may end, even by gasnet_exit, or run another program. In both cases it
// takes no part in the job and does not disturb it. The argument selects what
// the process does.
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sanitizer.h"
#include "conformance/harness.h"

namespace conformance {
namespace {

enum { kAsk = 128, kAnswer };
constexpr int kRounds = 200;

volatile int asked = 0;
volatile int answered = 0;
void Ask(gasnet_token_t token) {
  asked = asked + 1;
  CHECK_OK(gasnet_AMReplyShort0(token, kAnswer));
}
void Answer(gasnet_token_t) { answered = answered + 1; }

gasnet_node_t Next() { return (gasnet_mynode() + 1) % gasnet_nodes(); }

// Puts to a neighbour, sends it a request, and enters a barrier, on every node.
void UseTheJob() {
  static int round = 0;
  ++round;
  auto* const mine =
      reinterpret_cast<volatile int*>(SharedMemory(gasnet_mynode()));
  gasnet_put(Next(), SharedMemory(Next()), &round, sizeof round);
  for (int i = 0; i < kRounds; ++i) {
    CHECK_OK(gasnet_AMRequestShort0(Next(), kAsk));
  }
  GASNET_BLOCKUNTIL(answered == round * kRounds);
  Barrier();
  CHECK_EQ(*mine, round);
  CHECK_EQ(asked, round * kRounds);
  Barrier();
}

int Await(pid_t child) {
  int status = 0;
  CHECK_EQ(waitpid(child, &status, 0), child);
  return status;
}

template <class Body>
pid_t Fork(Body body) {
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child != 0) return child;
  body();
  _exit(0);
}

void ExpectCode(pid_t child, int code) {
  const int status = Await(child);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), code);
}

// The leak sanitizer checks a process that calls exit(), but it cannot check a
// child of a process with several threads.
constexpr auto kExit = gasnet::kAddressSanitizer ? quick_exit : exit;

// Ends a child in each possible way. The job goes on.
void ChildEnds() {
  UseTheJob();
  ExpectCode(Fork([] { gasnet_exit(7); }), 7);
  UseTheJob();
  ExpectCode(Fork([] { gasnet_exit(0); }), 0);
  ExpectCode(Fork([] { kExit(8); }), 8);
  UseTheJob();
}

// Lets messages arrive at the node while it has a child that does nothing.
void ChildLives() {
  int pipe_ends[2];
  CHECK_EQ(pipe(pipe_ends), 0);
  const pid_t child = Fork([&] {
    close(pipe_ends[1]);
    char never;
    if (read(pipe_ends[0], &never, 1) != 0) _exit(1);
    kExit(9);
  });
  UseTheJob();
  UseTheJob();
  close(pipe_ends[1]);
  ExpectCode(child, 9);
  UseTheJob();
}

// Runs other programs in child processes.
void ProgramsRun() {
  UseTheJob();
  const int code = system("exit 3");
  CHECK_EQ(WEXITSTATUS(code), 3);
  FILE* const output = popen("echo said", "r");
  char line[16] = "";
  CHECK(fgets(line, sizeof line, output) != nullptr);
  CHECK_EQ(strcmp(line, "said\n"), 0);
  CHECK_EQ(pclose(output), 0);
  UseTheJob();
  char shell[] = "/bin/sh";
  char option[] = "-c";
  char command[] = "exit 4";
  char* const words[] = {shell, option, command, nullptr};
  pid_t child;
  CHECK_EQ(posix_spawn(&child, shell, nullptr, nullptr, words, environ), 0);
  ExpectCode(child, 4);
  UseTheJob();
  child = Fork([&] { execv(shell, words); });
  ExpectCode(child, 4);
  UseTheJob();
}

// --- Any other call ends the child, with a message. The job goes on. ---

int here[4] = {-1, -1, -1, -1};
void* There() { return SharedMemory(Next()); }

void Put() { gasnet_put(Next(), There(), here, sizeof here[0]); }
void PutToOneself() {
  gasnet_put(gasnet_mynode(), SharedMemory(gasnet_mynode()), here,
             sizeof here[0]);
}
void PutBulk() { gasnet_put_bulk(Next(), There(), here, sizeof here); }
void PutNb() { gasnet_put_nb(Next(), There(), here, sizeof here); }
void PutNbi() { gasnet_put_nbi(Next(), There(), here, sizeof here); }
void PutValue() { gasnet_put_val(Next(), There(), 1, 4); }
void Get() { gasnet_get(here, Next(), There(), sizeof here[0]); }
void GetValue() { gasnet_get_val(Next(), There(), 4); }
void GetValueNb() { gasnet_get_nb_val(Next(), There(), 4); }
void Memset() { gasnet_memset(Next(), There(), 1, 4); }
void WaitAll() { gasnet_wait_syncnbi_all(); }
void TryAll() { gasnet_try_syncnbi_all(); }
void Notify() { gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS); }
void Request() { gasnet_AMRequestShort0(Next(), kAsk); }
void RequestMedium() { gasnet_AMRequestMedium0(Next(), kAsk, here, 4); }
void Poll() { gasnet_AMPoll(); }
void BlockOnNothing() { GASNET_BLOCKUNTIL(true); }
void Init() { gasnet_init(nullptr, nullptr); }
void Attach() { gasnet_attach(nullptr, 0, 0, 0); }
void NodeInfo() {
  gasnet_nodeinfo_t info;
  gasnet_getNodeInfo(&info, 1);
}

void GetEnv() { gasnet_getenv("HOME"); }

constexpr void (*kCalls[])() = {
    Put,      PutToOneself,  PutBulk,        PutNb,  PutNbi, PutValue,
    Get,      GetValue,      GetValueNb,     Memset, TryAll, WaitAll,
    Notify,   Request,       BlockOnNothing, Poll,   Init,   Attach,
    NodeInfo, RequestMedium, GetEnv,
};

void CallsAreRefused() {
  UseTheJob();
  for (void (*const call)() : kCalls) {
    const int status = Await(Fork(call));
    CHECK(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
  }
  UseTheJob();
}

constexpr Case kCases[] = {
    {"child_ends", ChildEnds},
    {"child_lives", ChildLives},
    {"programs_run", ProgramsRun},
    {"calls_are_refused", CallsAreRefused},
};

gasnet_handlerentry_t handlers[] = {
    HANDLER(kAsk, Ask),
    HANDLER(kAnswer, Answer),
};

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using conformance::handlers;
  using conformance::kCases;
  conformance::StartJob(&argc, &argv, handlers, COUNT_OF(handlers),
                        GASNET_PAGESIZE);
  conformance::RunCase(argc, argv, kCases, COUNT_OF(kCases));
  return conformance::FinishJob();
}
