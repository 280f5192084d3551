/* A client for install_test.sh, compiled as C and as C++. */
#include <gasnet.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  if (gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0) != GASNET_OK) return 2;
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  if (gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS) != GASNET_OK) {
    return 3;
  }
  printf("node %d of %d\n", (int)gasnet_mynode(), (int)gasnet_nodes());
  gasnet_exit(0);
  return 4;
}
