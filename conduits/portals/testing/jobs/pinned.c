/* Attaches a segment of the largest size. Node 0 prints the size. */
#include <gasnet.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  const uintptr_t size = gasnet_getMaxLocalSegmentSize();
  if (gasnet_attach(NULL, 0, size, 0) != GASNET_OK) return 1;
  if (gasnet_mynode() == 0) printf("%lu\n", (unsigned long)size);
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_exit(0);
  return 0;
}
