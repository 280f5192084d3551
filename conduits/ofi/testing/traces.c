/* Every node says its process and whether libfabric is in its memory, once it
 * is attached and has met the others. With an argument the last node kills
 * itself: with "early" as soon as it is initialised, with another one then. */
#include <gasnet.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is_mapped(const char *name) {
  char line[4096];
  int found = 0;
  FILE *const maps = fopen("/proc/self/maps", "r");
  if (maps == NULL) gasnet_exit(3);
  while (fgets(line, sizeof line, maps) != NULL) {
    if (strstr(line, name) != NULL) found = 1;
  }
  fclose(maps);
  return found;
}

static void barrier(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

int main(int argc, char **argv) {
  const int early = argc > 1 && strcmp(argv[1], "early") == 0;
  if (early) {
    printf("%d: it starts\n", (int)getpid());
    fflush(stdout);
  }
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  if (early && gasnet_mynode() == gasnet_nodes() - 1) raise(SIGKILL);
  if (gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0) != GASNET_OK) gasnet_exit(2);
  barrier();
  printf("%d: libfabric is %sloaded\n", (int)getpid(),
         is_mapped("/libfabric") ? "" : "not ");
  fflush(stdout);
  barrier(); /* the first end ends the job */
  if (argc > 1 && gasnet_mynode() == gasnet_nodes() - 1) raise(SIGKILL);
  if (argc > 1) GASNET_BLOCKUNTIL(0);
  gasnet_exit(0);
  return 0;
}
