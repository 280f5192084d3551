/* Two processes put a message to each other in turn, with Portals. Prints the
 * time of a round trip.
 *
 *     pingpong [ROUNDS]
 *
 * The program starts its second process itself, and needs only <portals4.h>.
 * Each process opens an interface, appends an entry that takes every message to
 * portal table index 0, and waits for events of arrivals. A put needs a
 * descriptor of the memory to send, and the identifier of the target process.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, fork */

#include <portals4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE = 8, INDEX = 0 };

struct side {
  ptl_handle_ni_t ni;
  ptl_handle_eq_t arrivals;
  ptl_handle_md_t source;
  ptl_process_t self;
  ptl_process_t peer;
  char out[MESSAGE];
  char in[MESSAGE];
};

static void check(int code, const char *call) {
  if (code == PTL_OK) return;
  fprintf(stderr, "pingpong: %s returned %d\n", call, code);
  exit(1);
}
#define CHECK(call) check((call), #call)

static void open_side(struct side *side) {
  ptl_pt_index_t index;
  ptl_handle_me_t entry;
  ptl_md_t md;
  ptl_me_t me;
  CHECK(PtlInit());
  CHECK(PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_MATCHING | PTL_NI_PHYSICAL,
                  PTL_PID_ANY, NULL, NULL, &side->ni));
  CHECK(PtlGetPhysId(side->ni, &side->self));
  CHECK(PtlEQAlloc(side->ni, 64, &side->arrivals));
  CHECK(PtlPTAlloc(side->ni, 0, side->arrivals, INDEX, &index));

  memset(&md, 0, sizeof md);
  md.start = side->out;
  md.length = sizeof side->out;
  md.eq_handle = PTL_EQ_NONE; /* the answer reports the arrival */
  md.ct_handle = PTL_CT_NONE;
  CHECK(PtlMDBind(side->ni, &md, &side->source));

  memset(&me, 0, sizeof me);
  me.start = side->in;
  me.length = sizeof side->in;
  me.ct_handle = PTL_CT_NONE;
  me.uid = PTL_UID_ANY;
  me.options = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE;
  me.match_id.phys.nid = PTL_NID_ANY;
  me.match_id.phys.pid = PTL_PID_ANY;
  CHECK(PtlMEAppend(side->ni, INDEX, &me, PTL_PRIORITY_LIST, NULL, &entry));
}

static void send_message(struct side *side, long round) {
  memcpy(side->out, &round, sizeof round < MESSAGE ? sizeof round : MESSAGE);
  CHECK(PtlPut(side->source, 0, MESSAGE, PTL_NO_ACK_REQ, side->peer, INDEX, 0,
               0, NULL, (ptl_hdr_data_t)round));
}

/* Waits for a message. Checks that its header data and its payload match this
   round. */
static void receive_message(struct side *side, long round) {
  ptl_event_t event;
  CHECK(PtlEQWait(side->arrivals, &event));
  if (event.type != PTL_EVENT_PUT || event.hdr_data != (ptl_hdr_data_t)round ||
      memcmp(side->in, &round,
             sizeof round < MESSAGE ? sizeof round : MESSAGE) != 0) {
    fprintf(stderr, "pingpong: round %ld: unexpected message\n", round);
    exit(1);
  }
}

/* Exchanges the processes' identifiers through two pipes, one in each
   direction. */
static void meet(struct side *side, int to, int from) {
  if (write(to, &side->self, sizeof side->self) != (ssize_t)sizeof side->self ||
      read(from, &side->peer, sizeof side->peer) !=
          (ssize_t)sizeof side->peer) {
    fprintf(stderr, "pingpong: the other process is gone\n");
    exit(1);
  }
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void serve(int to, int from, long rounds) {
  struct side side;
  long i;
  open_side(&side);
  meet(&side, to, from);
  for (i = 0; i < rounds; ++i) {
    receive_message(&side, i);
    send_message(&side, i);
  }
  PtlFini();
}

static void play(int to, int from, long rounds) {
  struct side side;
  double start;
  long i;
  open_side(&side);
  meet(&side, to, from);
  start = now();
  for (i = 0; i < rounds; ++i) {
    send_message(&side, i);
    receive_message(&side, i);
  }
  printf("%ld rounds of %d bytes, %.0f ns each\n", rounds, (int)MESSAGE,
         (now() - start) / (double)rounds);
  PtlFini();
}

int main(int argc, char **argv) {
  const long rounds = argc > 1 ? atol(argv[1]) : 100000;
  int there[2], back[2], status = 1;
  pid_t child;
  if (rounds < 1) {
    fprintf(stderr, "usage: pingpong [ROUNDS]\n");
    return 2;
  }
  if (pipe(there) != 0 || pipe(back) != 0) return 1;
  child = fork();
  if (child == 0) {
    serve(back[1], there[0], rounds);
    return 0;
  }
  play(there[1], back[0], rounds);
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) return 1;
  puts("pingpong ok");
  return 0;
}
