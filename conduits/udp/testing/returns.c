/* Two nodes that end without gasnet_exit while messages are under way. The
 * argument chooses the case. */
#define _DEFAULT_SOURCE /* syscall */
#include <gasnet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The first messages fill the window. The other messages wait for
   acknowledgements.
 */
enum { kFew = 60, kMany = 400, kBytes = 30000 };
enum { kMessage = 200, kExit, kSent };

static int arrived;
static int sent;
static int expected = -1; /* -1 while it is unknown */
static char payload[kBytes];

static void OnMessage(gasnet_token_t token, void *data, size_t bytes) {
  (void)token;
  (void)data;
  (void)bytes;
  ++arrived;
}

/* Ends the process. The messages that this node has sent, including this reply,
 * must arrive nevertheless. */
static void OnExit(gasnet_token_t token) {
  gasnet_AMReplyShort1(token, kSent, sent);
  exit(0);
}

static void OnSent(gasnet_token_t token, gasnet_handlerarg_t count) {
  (void)token;
  expected = count;
}

static void Barrier(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

static void Send(gasnet_node_t to, int count) {
  const size_t limit = gasnet_AMMaxMedium();
  const size_t bytes = limit < sizeof payload ? limit : sizeof payload;
  for (int i = 0; i < count; ++i) {
    gasnet_AMRequestMedium0(to, kMessage, payload, bytes);
    ++sent;
  }
}

static void Compute(int milliseconds) { poll(NULL, 0, milliseconds); }

/* Node 0 sends and returns. Node 1 computes for longer than node 0 would
   wait in an ordinary end. */
static void SenderReturns(void) {
  if (gasnet_mynode() == 0) {
    Send(1, kFew);
    return;
  }
  Compute(700);
  GASNET_BLOCKUNTIL(arrived == kFew);
  printf("all arrived\n");
}

/* Node 0 makes node 1 end in a handler. */
static void HandlerExits(void) {
  if (gasnet_mynode() == 1) {
    Send(0, kFew);
    GASNET_BLOCKUNTIL(0);
  }
  gasnet_AMRequestShort0(1, kExit);
  Compute(700);
  GASNET_BLOCKUNTIL(arrived == expected);
  printf("all arrived\n");
}

static void BothReturn(void) { Send(1 - gasnet_mynode(), kFew); }

/* Node 1 vanishes, so the messages of node 0 are never acknowledged. */
static void ReceiverVanishes(void) {
  if (gasnet_mynode() == 1) _exit(0);
  for (int i = 0; i < 10; ++i) {
    Send(1, kMany);
    Compute(50);
    gasnet_AMPoll();
  }
  printf("all sent\n");
}

/* Closes all files of node 1, also the socket. The thread sanitizer reports a
 * race of close() with another thread's recv(). This test needs that race. */
static void CloseAll(void) {
  if (gasnet_mynode() == 1) {
    for (int fd = 3; fd < 1024; ++fd) syscall(SYS_close, fd);
  }
  Barrier();
}

static const struct {
  const char *name;
  void (*run)(void);
} kWays[] = {
    {"sender_returns", &SenderReturns},
    {"handler_exits", &HandlerExits},
    {"both_return", &BothReturn},
    {"receiver_vanishes", &ReceiverVanishes},
    {"close_all", &CloseAll},
};

int main(int argc, char **argv) {
  gasnet_handlerentry_t handlers[] = {
      {kMessage, (void (*)(void)) & OnMessage},
      {kExit, (void (*)(void)) & OnExit},
      {kSent, (void (*)(void)) & OnSent},
  };
  if (gasnet_init(&argc, &argv) != GASNET_OK ||
      gasnet_attach(handlers, 3, 0, 0) != GASNET_OK || gasnet_nodes() != 2) {
    return 1;
  }
  Barrier();
  for (size_t i = 0; i < sizeof kWays / sizeof *kWays; ++i) {
    if (strcmp(argv[1], kWays[i].name) == 0) {
      kWays[i].run();
      return 0;
    }
  }
  return 2;
}
