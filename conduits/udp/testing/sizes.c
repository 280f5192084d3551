/* Prints the limits of messages on each node, one limit per line. */
#include <gasnet.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  if (gasnet_attach(NULL, 0, 0, 0) != GASNET_OK) gasnet_exit(1);
  printf("%zu %zu %zu\n", (size_t)gasnet_AMMaxMedium(),
         (size_t)gasnet_AMMaxLongRequest(), (size_t)gasnet_AMMaxLongReply());
  fflush(stdout);
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_exit(0);
  return 0;
}
