/* The shortest complete GASNet-EX program: it starts, greets a neighbour by a
 * message, puts a number into the neighbour's segment, and ends.
 *
 * Every process of the job runs this main(). A process is identified by its
 * rank in the team of all processes, which gex_Client_Init returns. */

#include <gasnetex.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static gex_TM_t team; /* the team of all processes */

/* The handler writes this variable and main() reads it. It is volatile, because
 * a handler may run inside any GASNet call. */
static volatile int greeting = -1;

/* An active message names a function to run at its destination, the handler.
 * Handlers are brief: they record the message and leave the work to main(). */
static void on_greeting(gex_Token_t token, gex_AM_Arg_t from) {
  (void)token; /* identifies the message for a reply, which is not sent here */
  greeting = from;
}

/* An entry describes the messages that a handler takes. The library chooses the
 * handler's index. It is the same in all processes, since all register the same
 * table. */
static gex_AM_Entry_t handlers[] = {{0, (gex_AM_Fn_t)on_greeting,
                                     GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1,
                                     NULL, "greeting"}};

static void check(int result, const char* call) {
  if (result == GASNET_OK) return;
  fprintf(stderr, "hello_ex: %s: %s\n", call, gasnet_ErrorDesc(result));
  gasnet_exit(1);
}

/* Returns once all processes have called meet(). gex_Coll_BarrierNB starts a
 * barrier and returns its event, and gex_Event_Wait waits for the event. */
static void meet(void) { gex_Event_Wait(gex_Coll_BarrierNB(team, 0)); }

/* Puts a number to the right-hand neighbour, and returns the number that the
 * left-hand neighbour has put here. */
static uint64_t pass_on(gex_Rank_t right, uint64_t number,
                        gex_Segment_t segment) {
  void* there = NULL;
  uintptr_t size = 0;
  gex_Event_Wait(
      gex_EP_QueryBoundSegmentNB(team, right, &there, NULL, &size, 0));
  /* With GEX_EVENT_NOW `number` may be overwritten when the call returns. The
   * number has arrived once the returned event has happened. */
  gex_Event_Wait(gex_RMA_PutNB(team, right, there, &number, sizeof(number),
                               GEX_EVENT_NOW, 0));
  meet();
  memcpy(&number, gex_Segment_QueryAddr(segment), sizeof(number));
  return number;
}

int main(int argc, char** argv) {
  gex_Client_t client;
  gex_EP_t endpoint; /* sends and receives messages */
  gex_Segment_t segment;
  gex_Rank_t me, size;
  int code = 0;

  /* gex_Client_Init comes first, before any use of argc and argv. */
  check(gex_Client_Init(&client, &endpoint, &team, "HELLO", &argc, &argv, 0),
        "gex_Client_Init");
  check(gex_EP_RegisterHandlers(endpoint, handlers, 1),
        "gex_EP_RegisterHandlers");
  /* Creates the memory that other processes may put to and get from. */
  check(gex_Segment_Attach(&segment, team, GASNET_PAGESIZE),
        "gex_Segment_Attach");
  me = gex_TM_QueryRank(team);
  size = gex_TM_QuerySize(team);

  if (argc > 1) {
    code = argc == 2 && strcmp(argv[1], "--help") == 0 ? 0 : 2;
    if (me == 0 && code == 0) {
      puts("Usage: hello_ex\nEvery process greets its right-hand neighbour.");
    } else if (me == 0) {
      fprintf(stderr, "hello_ex: unexpected argument '%s'\n", argv[1]);
    }
  } else {
    const gex_Rank_t right = (me + 1) % size;
    const gex_Rank_t left = (me + size - 1) % size;
    uint64_t number;
    /* gex_Segment_Attach was also a barrier, so all processes have registered
       their handlers. */
    check(gex_AM_RequestShort1(team, right, handlers[0].gex_index, 0,
                               (gex_AM_Arg_t)me),
          "gex_AM_RequestShort1");
    /* Serves messages until the handler has run. */
    GASNET_BLOCKUNTIL(greeting != -1);
    number = pass_on(right, 100 + me, segment);
    printf("Hello from rank %u of %u, greeted by rank %d, which put %u.\n", me,
           size, greeting, (unsigned)number);
    code = greeting == (int)left && number == 100 + left ? 0 : 1;
  }

  meet(); /* the first gasnet_exit ends the whole job */
  gasnet_exit(code);
  return code; /* not reached */
}
