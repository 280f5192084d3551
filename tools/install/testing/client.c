/* A GASNet client. install_test.sh compiles it as C and as C++. */
#include <gasnet.h>
#include <stdio.h>

static int meet(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  return gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS) == GASNET_OK;
}

int main(int argc, char **argv) {
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  if (gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0) != GASNET_OK) return 2;
  if (!meet()) return 3;
  printf("node %d of %d\n", (int)gasnet_mynode(), (int)gasnet_nodes());
  /* The first node to exit ends all other nodes, in any state. */
  if (!meet()) return 3;
  gasnet_exit(0);
  return 4;
}
