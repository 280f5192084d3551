/* Each rank says which conduit the job uses, once all have sent to all. Then,
 * in a life of GASNet for each argument, the same with that conduit. */
#include <gasnet.h>
#include <gasnet_finalize.h>
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned arrived;

static void Count(gasnet_token_t token) {
  (void)token;
  ++arrived;
}

static void Live(int *argc, char ***argv) {
  gasnet_handlerentry_t handlers[] = {{128, (void (*)(void))Count}};
  if (gasnet_init(argc, argv) != GASNET_OK) exit(1);
  if (gasnet_attach(handlers, 1, 0, 0) != GASNET_OK) gasnet_exit(2);
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    gasnet_AMRequestShort0(node, 128);
  }
  GASNET_BLOCKUNTIL(arrived == gasnet_nodes());
  arrived = 0;
  printf("rank %d of %d uses %s\n", (int)gasnet_mynode(), (int)gasnet_nodes(),
         gasnet_conduit_name());
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

int main(int argc, char **argv) {
  Live(&argc, &argv);
  for (int i = 1; i < argc; ++i) {
    if (gasnet_finalize() != GASNET_OK) gasnet_exit(3);
    setenv("GASNET_CONDUIT", argv[i], 1);
    Live(&argc, &argv);
  }
  gasnet_exit(0);
}
