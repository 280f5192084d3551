/* Nodes that return from main, or vanish, while requests are unanswered. The
 * argument chooses the case.
 *
 *   medium   node 0 sends Mediums to node 1 and returns, while node 1
 *            computes
 *   long     like medium, with Longs
 *   returns  node 1 returns without serving the requests of node 0. Node 0
 *            then sends to node 2
 *   vanishes like returns, but node 1 calls _exit
 *   reply    node 0 calls exit in the handler of a reply of node 1. Node 1
 *            serves until the process of node 0 has ended
 */
#define _GNU_SOURCE /* readlink */
#include <gasnet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { kMessage = 200, kLong, kProcess, kExit, kFew = 20, kBytes = 480 };

static volatile int arrived;
static char data[kBytes];

static void OnMessage(gasnet_token_t token, void *payload, size_t nbytes,
                      gasnet_handlerarg_t number) {
  (void)token;
  const char *const bytes = (const char *)payload;
  if (nbytes != kBytes || bytes[0] != (char)number) gasnet_exit(3);
  ++arrived;
}

static volatile pid_t sender;
static void OnProcess(gasnet_token_t token, gasnet_handlerarg_t process) {
  sender = process;
  gasnet_AMReplyShort0(token, kExit);
}
static void OnExit(gasnet_token_t token) {
  (void)token;
  exit(0);
}

static void Barrier(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

static char *SegmentOf(gasnet_node_t node) {
  static gasnet_seginfo_t segments[8];
  gasnet_getSegmentInfo(segments, (int)gasnet_nodes());
  return (char *)segments[node].addr;
}

static void SendMediums(gasnet_node_t to, int count) {
  for (int number = 0; number < count; ++number) {
    memset(data, number, sizeof data);
    gasnet_AMRequestMedium1(to, kMessage, data, sizeof data, number);
  }
}

/* Sends Longs whose sources stay unchanged. */
static void SendLongs(gasnet_node_t to, int count) {
  static char sources[kFew][kBytes];
  for (int number = 0; number < count; ++number) {
    memset(sources[number], number, kBytes);
    gasnet_AMRequestLongAsync1(to, kLong, sources[number], kBytes,
                               SegmentOf(to) + number * kBytes, number);
  }
}

static void AwaitFew(void) {
  GASNET_BLOCKUNTIL(arrived == kFew);
  printf("all arrived\n");
}

/* Node 0 sends a few messages and returns. Node 1 computes until long after
   node 0 has sent everything. */
static void SendAndReturn(void (*send)(gasnet_node_t to, int count)) {
  if (gasnet_mynode() == 0) {
    send(1, kFew);
    return;
  }
  poll(NULL, 0, 200);
  AwaitFew();
}
static void Medium(void) { SendAndReturn(&SendMediums); }
static void Long(void) { SendAndReturn(&SendLongs); }

/* Waits for a put. Makes no GASNet call meanwhile, so requests that arrive are
   not served. */
static void AwaitPut(void) {
  const volatile char *const flag = SegmentOf(gasnet_mynode());
  while (*flag == 0) poll(NULL, 0, 1);
}
static void TellByPut(gasnet_node_t node) {
  gasnet_put_nbi_val(node, SegmentOf(node), 1, 1);
}

/* Node 1 notifies node 0 by a put, and serves no request from then on. */
static void Starve(int vanishes) {
  if (gasnet_mynode() == 0) {
    AwaitPut();
    SendMediums(1, 2);
    TellByPut(1);
    SendMediums(2, kFew);
  } else if (gasnet_mynode() == 1) {
    TellByPut(0);
    AwaitPut();
    if (vanishes) _exit(0);
  } else {
    AwaitFew();
  }
}
static void Returns(void) { Starve(0); }
static void Vanishes(void) { Starve(1); }

/* Returns 0 if the process is a zombie: the process has ended, but its parent
   has not waited for it. */
static int HasProgram(pid_t process) {
  char name[32], program[1];
  snprintf(name, sizeof name, "/proc/%d/exe", (int)process);
  return readlink(name, program, sizeof program) >= 0;
}

static void Reply(void) {
  if (gasnet_mynode() == 0) {
    gasnet_AMRequestShort1(1, kProcess, getpid());
    GASNET_BLOCKUNTIL(0);
  }
  while (sender == 0 || HasProgram(sender)) gasnet_AMPoll();
  printf("all arrived\n");
}

static const struct {
  const char *name;
  gasnet_node_t nodes;
  void (*run)(void);
} kWays[] = {{"medium", 2, &Medium},
             {"long", 2, &Long},
             {"returns", 3, &Returns},
             {"vanishes", 3, &Vanishes},
             {"reply", 2, &Reply}};

int main(int argc, char **argv) {
  gasnet_handlerentry_t handlers[] = {{kMessage, (void (*)(void))OnMessage},
                                      {kLong, (void (*)(void))OnMessage},
                                      {kProcess, (void (*)(void))OnProcess},
                                      {kExit, (void (*)(void))OnExit}};
  if (gasnet_init(&argc, &argv) != GASNET_OK || argc != 2 ||
      gasnet_attach(handlers, sizeof handlers / sizeof *handlers,
                    GASNET_PAGESIZE * 4, 0) != GASNET_OK) {
    return 1;
  }
  memset(SegmentOf(gasnet_mynode()), 0, GASNET_PAGESIZE);
  Barrier();
  for (size_t i = 0; i < sizeof kWays / sizeof *kWays; ++i) {
    if (strcmp(argv[1], kWays[i].name) != 0) continue;
    if (gasnet_nodes() != kWays[i].nodes) return 1;
    kWays[i].run();
    return 0;
  }
  return 2;
}
