/* The shortest complete GASNet program: start, greet a neighbour, end.
 *
 * Every node of the job runs this main(). Each one sends its number to its
 * right-hand neighbour by an active message, and prints the node that greeted
 * it. */

#include <gasnet.h>
#include <stdio.h>
#include <string.h>

/* Clients number their message handlers from 128. GASNet uses lower numbers. */
enum { GREET_HANDLER = 128 };

/* The handler writes this variable and main() reads it. It is volatile, because
 * a handler may run inside any GASNet call. */
static volatile int greeting = -1;

/* An active message names a function to run at its destination, the handler.
 * Handlers are brief: they record the message and leave the work to main(). */
static void on_greeting(gasnet_token_t token, gasnet_handlerarg_t from) {
  (void)token; /* identifies the message for a reply, which is not sent here */
  greeting = from;
}

static gasnet_handlerentry_t handlers[] = {
    {GREET_HANDLER, (void (*)(void))on_greeting}};

static void check(int result, const char* call) {
  if (result == GASNET_OK) return;
  fprintf(stderr, "hello: %s: %s\n", call, gasnet_ErrorDesc(result));
  gasnet_exit(1);
}

int main(int argc, char** argv) {
  /* gasnet_init comes first, before any use of argc and argv. */
  check(gasnet_init(&argc, &argv), "gasnet_init");
  /* There are no puts and gets here, so the segment is empty. */
  check(gasnet_attach(handlers, 1, 0, 0), "gasnet_attach");

  const int me = (int)gasnet_mynode();
  const int nodes = (int)gasnet_nodes();
  const int help = argc == 2 && strcmp(argv[1], "--help") == 0;
  int code = argc == 1 || help ? 0 : 2;

  if (argc > 1) {
    if (me == 0 && help) {
      puts("Usage: hello\nEvery node greets its right-hand neighbour.");
    } else if (me == 0) {
      fprintf(stderr, "hello: unexpected argument '%s'\n", argv[1]);
    }
  } else {
    check(gasnet_AMRequestShort1((gasnet_node_t)((me + 1) % nodes),
                                 GREET_HANDLER, me),
          "gasnet_AMRequestShort1");
    /* Serves messages until the handler has run. */
    GASNET_BLOCKUNTIL(greeting != -1);
    printf("Hello from node %d of %d, greeted by node %d.\n", me, nodes,
           greeting);
    code = greeting == (me + nodes - 1) % nodes ? 0 : 1;
  }

  /* The first gasnet_exit ends the whole job, so wait here until all nodes have
   * been greeted. */
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  check(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS),
        "gasnet_barrier_wait");
  gasnet_exit(code);
  return code; /* not reached */
}
