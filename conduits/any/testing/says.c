/* A job in which each rank sends messages and puts to all ranks, and then
 * prints the job's conduit. Each argument names another conduit: the ranks
 * finalize GASNet, initialize it with that conduit, and repeat all this. */
#define _POSIX_C_SOURCE 200112L /* setenv */
#include <gasnet.h>
#include <gasnet_finalize.h>
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned arrived;

static void Count(gasnet_token_t token) {
  (void)token;
  ++arrived;
}

static void MeetAll(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

/* Puts a word to each rank and checks the words that arrive. The segment of
   each rank has one word for each rank. */
static void PutToAll(void) {
  gasnet_seginfo_t all[64];
  if (gasnet_nodes() > 64) gasnet_exit(4);
  gasnet_getSegmentInfo(all, 64);
  const gasnet_node_t me = gasnet_mynode();
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    const uint64_t word = me + 1;
    gasnet_put(node, (uint64_t *)all[node].addr + me, &word, sizeof word);
  }
  MeetAll();
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    if (((volatile uint64_t *)all[me].addr)[node] != node + 1) gasnet_exit(5);
  }
}

static void Live(int *argc, char ***argv) {
  gasnet_handlerentry_t handlers[] = {{128, (void (*)(void))Count}};
  if (gasnet_init(argc, argv) != GASNET_OK) exit(1);
  if (gasnet_attach(handlers, 1, GASNET_PAGESIZE, 0) != GASNET_OK) {
    gasnet_exit(2);
  }
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    gasnet_AMRequestShort0(node, 128);
  }
  GASNET_BLOCKUNTIL(arrived == gasnet_nodes());
  arrived = 0;
  PutToAll();
  printf("rank %d of %d uses %s\n", (int)gasnet_mynode(), (int)gasnet_nodes(),
         gasnet_conduit_name());
  MeetAll();
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
