/* A job in which each rank puts to the next rank and gets from it, with small
 * and large sizes. With argument "shut", the kernel hides each process's memory
 * from the other processes, like that of setuid programs. */
#define _GNU_SOURCE /* syscall */
#include <gasnet.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SIZE = 1 << 20, SEGMENT = 2 * SIZE };

/* Hides this process's memory, even if root runs the processes. */
static void shut(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
  memset(none, 0, sizeof none);
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 ||
      syscall(SYS_capset, &header, none) != 0) {
    perror("constrained");
    exit(2);
  }
}

static void barrier(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {8, 4096, SIZE};
  static char mine[SIZE];
  static char got[SIZE];
  gasnet_seginfo_t segments[64];
  gasnet_node_t next;
  size_t i;
  if (argc > 1 && strcmp(argv[1], "shut") == 0) shut();
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  if (gasnet_attach(NULL, 0, SEGMENT, 0) != GASNET_OK) gasnet_exit(1);
  if (gasnet_nodes() > 64) gasnet_exit(1);
  gasnet_getSegmentInfo(segments, (int)gasnet_nodes());
  next = (gasnet_node_t)((gasnet_mynode() + 1) % gasnet_nodes());
  memset(mine, (int)gasnet_mynode() + 1, sizeof mine);
  for (i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    memset(got, 0, sizeof got);
    gasnet_put(next, segments[next].addr, mine, sizes[i]);
    gasnet_get(got, next, segments[next].addr, sizes[i]);
    if (memcmp(got, mine, sizes[i]) != 0) gasnet_exit(3);
    barrier();
  }
  barrier();
  gasnet_exit(0);
  return 1;
}
