/* Runs a job with a network and collectives. The job makes the library read
   every setting. */
#include <gasnet.h>
#include <gasnet_coll.h>

int main(int argc, char **argv) {
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  if (gasnet_attach(NULL, 0, 4 * GASNET_PAGESIZE, 0) != GASNET_OK) {
    gasnet_exit(1);
  }
  gasnet_coll_init(NULL, 0, NULL, 0, 0);
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_exit(0);
  return 1;
}
