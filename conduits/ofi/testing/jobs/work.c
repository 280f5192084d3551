/* Jobs over libfabric for the tests. The first argument chooses a job.
 *
 *   deaf    the other nodes send node 0 more messages than it has buffers;
 *           node 0 makes no GASNet call until it has read a line
 *   small   like deaf, with small messages
 *   all     every node sends every other node more messages than it has
 *           buffers
 *   idle    the last node sleeps while node 0 computes for a second, and
 *           reports the processor time that it used, in thousandths
 *   put     node 1 stops itself, and node 0 puts to it after reading a line
 *   leave   node 1 sends small messages to node 0. Node 0 receives them all and
 *           then waits for a line. Node 1 returns from main meanwhile
 *   gone    node 1 stops itself, and later returns from main, while node 0
 *           sends it a Long
 *   left    like gone, but node 0 reads a line first, and sends the Long when
 *           no other message waits for room
 *   puts    like gone, but node 0 reads a line and then puts to node 1
 *   gets    like puts, but node 0 gets from node 1
 *   first   node 0 begins with a put to the last node, and no node ends
 */
#define _GNU_SOURCE /* clocks */
#include <gasnet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum {
  kAdd = 200,
  kWake,
  kCount,
  kMessages = 4000,
  kSmall = 20000,
  kBytes = 4000,
  kWarm = 200,
  kLeft = 50,
  kLargeBytes = 1 << 20,
  kLongBytes = 16 << 20 /* more than socket buffers hold */
};

static volatile int arrived = 0;
static volatile int woken = 0;
static unsigned long sum = 0;

static void on_add(gasnet_token_t token, void *data, size_t nbytes) {
  const unsigned char *const bytes = (const unsigned char *)data;
  (void)token;
  for (size_t i = 0; i < nbytes; ++i) sum += bytes[i];
  ++arrived;
}
static void on_wake(gasnet_token_t token) {
  (void)token;
  woken = 1;
}
static void on_count(gasnet_token_t token) {
  (void)token;
  ++arrived;
}

static void barrier(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

/* Prints a line. The node is the last word of a line, and shows readers that
   the line is complete. */
static void say(const char *what, long number) {
  printf("%ld %ld %s %u\n", (long)getpid(), number, what, gasnet_mynode());
  fflush(stdout);
}

static void send_to(gasnet_node_t node, int count) {
  static unsigned char data[kBytes];
  memset(data, (int)gasnet_mynode() + 1, sizeof(data));
  for (int i = 0; i < count; ++i) {
    gasnet_AMRequestMedium0(node, kAdd, data, sizeof(data));
  }
}

/* Waits for `count` messages from each node from `first` to `end` - 1. */
static void await_from(gasnet_node_t first, gasnet_node_t end, int count) {
  unsigned long wanted = 0;
  int messages = 0;
  for (gasnet_node_t node = first; node < end; ++node) {
    if (node == gasnet_mynode()) continue;
    wanted += (unsigned long)count * kBytes * (node + 1);
    messages += count;
  }
  GASNET_BLOCKUNTIL(arrived == messages);
  if (sum != wanted) gasnet_exit(4);
}

static void flood(int is_small, int count) {
  if (!is_small) send_to(0, count);
  for (int i = 0; is_small && i < count; ++i) gasnet_AMRequestShort0(0, kCount);
}

static void await_floods(int is_small, int count) {
  const gasnet_node_t nodes = gasnet_nodes();
  if (!is_small) await_from(1, nodes, count);
  GASNET_BLOCKUNTIL(arrived == count * (int)(nodes - 1));
}

static void deaf(int is_small) {
  const int count = is_small ? kSmall : kMessages;
  if (gasnet_mynode() == 0) {
    await_floods(is_small, kWarm);
    barrier();
    say("deaf", 0);
    if (getchar() == EOF) gasnet_exit(3);
    await_floods(is_small, kWarm + count);
  } else {
    flood(is_small, kWarm);
    barrier();
    say("sending", 0);
    flood(is_small, count);
  }
}

static void all(void) {
  const gasnet_node_t nodes = gasnet_nodes();
  for (int i = 0; i < kMessages / 10; ++i) {
    for (gasnet_node_t step = 1; step < nodes; ++step) {
      send_to((gasnet_mynode() + step) % nodes, 1);
    }
  }
  await_from(0, nodes, kMessages / 10);
}

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void idle(void) {
  const gasnet_node_t last = gasnet_nodes() - 1;
  barrier();
  const double used = seconds(CLOCK_PROCESS_CPUTIME_ID);
  const double began = seconds(CLOCK_MONOTONIC);
  if (gasnet_mynode() == 0) {
    while (seconds(CLOCK_PROCESS_CPUTIME_ID) - used < 1) {
    }
    gasnet_AMRequestShort0(last, kWake);
  } else if (gasnet_mynode() == last) {
    GASNET_BLOCKUNTIL(woken);
    say("used", (long)(1000 * (seconds(CLOCK_PROCESS_CPUTIME_ID) - used) /
                       (seconds(CLOCK_MONOTONIC) - began)));
  }
}

static void leave(void) {
  if (gasnet_mynode() == 0) {
    GASNET_BLOCKUNTIL(arrived == kLeft);
    say("arrived", 0);
    if (getchar() == EOF) gasnet_exit(3);
    gasnet_exit(0);
  }
  say("leaves", 0);
  for (int i = 0; i < kLeft; ++i) gasnet_AMRequestShort0(0, kCount);
}

/* Begins more puts than there are descriptors. */
static void put_many(void *to) {
  static char large[kLargeBytes];
  char data[64] = {0};
  for (int i = 0; i < kSmall; ++i) gasnet_put_nbi(1, to, data, sizeof(data));
  gasnet_wait_syncnbi_puts();
  gasnet_put_bulk(1, to, large, sizeof(large));
  gasnet_put(1, to, data, sizeof(data));
}

static void transfer_to_left(int is_put) {
  gasnet_seginfo_t segments[2];
  char data[64];
  if (gasnet_getSegmentInfo(segments, 2) != GASNET_OK) gasnet_exit(3);
  barrier();
  if (gasnet_mynode() == 1) {
    say("stops", 0);
    raise(SIGSTOP);
    return;
  }
  say("sending", 0);
  if (getchar() == EOF) gasnet_exit(3);
  if (is_put) put_many(segments[1].addr);
  if (!is_put) gasnet_get(data, 1, segments[1].addr, sizeof(data));
  gasnet_exit(0);
}

static void gone(int is_under_way) {
  static unsigned char data[kLongBytes];
  gasnet_seginfo_t segments[2];
  if (gasnet_getSegmentInfo(segments, 2) != GASNET_OK) gasnet_exit(3);
  barrier();
  if (gasnet_mynode() == 1) {
    say("stops", 0);
    raise(SIGSTOP);
    return;
  }
  say("sending", 0);
  if (!is_under_way) {
    if (getchar() == EOF) gasnet_exit(3);
    for (int i = 0; i < kSmall; ++i) gasnet_AMRequestShort0(1, kCount);
  }
  gasnet_AMRequestLong0(1, kAdd, data, kLongBytes, segments[1].addr);
  gasnet_exit(0);
}

static void first(void) {
  const gasnet_node_t nodes = gasnet_nodes();
  gasnet_seginfo_t *const segments =
      (gasnet_seginfo_t *)malloc(nodes * sizeof(gasnet_seginfo_t));
  char data[64] = {0};
  if (gasnet_getSegmentInfo(segments, (int)nodes) != GASNET_OK) gasnet_exit(3);
  if (gasnet_mynode() == 0) {
    gasnet_put(nodes - 1, segments[nodes - 1].addr, data, sizeof(data));
  }
  GASNET_BLOCKUNTIL(0);
}

static void put(void) {
  gasnet_seginfo_t segments[2];
  char data[64] = {0};
  if (gasnet_getSegmentInfo(segments, 2) != GASNET_OK) gasnet_exit(3);
  barrier();
  if (gasnet_mynode() == 1) {
    say("stops", 0);
    raise(SIGSTOP);
  } else {
    if (getchar() == EOF) gasnet_exit(3);
    gasnet_put(1, segments[1].addr, data, sizeof(data));
  }
}

int main(int argc, char **argv) {
  gasnet_handlerentry_t handlers[] = {
      {kAdd, (void (*)())on_add},
      {kWake, (void (*)())on_wake},
      {kCount, (void (*)())on_count},
  };
  if (gasnet_init(&argc, &argv) != GASNET_OK || argc != 2) return 1;
  if (gasnet_attach(handlers, 3, kLongBytes, 0) != GASNET_OK) return 1;
  if (strcmp(argv[1], "first") == 0) first();
  barrier();
  if (strcmp(argv[1], "deaf") == 0) deaf(0);
  if (strcmp(argv[1], "small") == 0) deaf(1);
  if (strcmp(argv[1], "all") == 0) all();
  if (strcmp(argv[1], "idle") == 0) idle();
  if (strcmp(argv[1], "put") == 0) put();
  if (strcmp(argv[1], "leave") == 0) {
    leave();
    return 0;
  }
  if (strcmp(argv[1], "gone") == 0 || strcmp(argv[1], "left") == 0) {
    gone(strcmp(argv[1], "gone") == 0);
    return 0;
  }
  if (strcmp(argv[1], "puts") == 0 || strcmp(argv[1], "gets") == 0) {
    transfer_to_left(strcmp(argv[1], "puts") == 0);
    return 0;
  }
  barrier();
  gasnet_exit(0);
  return 0;
}
