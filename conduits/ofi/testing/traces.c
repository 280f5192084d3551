/* A job in which every node attaches, passes a barrier, and then prints its
 * process number and whether libfabric is loaded. A node fails if gasnet_init
 * has changed its processors. It also fails if gasnet_init has changed the
 * handling of a signal that GASNet does not use.
 *
 * With an argument, the last node kills itself. With "early" it does so as soon
 * as it is initialized. With any other argument it does so after printing. */
#define _GNU_SOURCE /* affinity */
#include <gasnet.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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

struct state {
  cpu_set_t cpus;
  void (*handler)(int);
};

static struct state state_now(void) {
  struct state state;
  struct sigaction action;
  CPU_ZERO(&state.cpus);
  if (sched_getaffinity(0, sizeof state.cpus, &state.cpus) != 0) exit(4);
  if (sigaction(SIGWINCH, NULL, &action) != 0) exit(4);
  state.handler = action.sa_handler;
  return state;
}

static void require_same(struct state before) {
  const struct state now = state_now();
  if (!CPU_EQUAL(&now.cpus, &before.cpus)) {
    fprintf(stderr, "gasnet_init has changed processors\n");
    gasnet_exit(5);
  }
  if (now.handler != before.handler) {
    fprintf(stderr, "gasnet_init has changed a signal's handler\n");
    gasnet_exit(6);
  }
}

int main(int argc, char **argv) {
  const struct state before = state_now();
  const int early = argc > 1 && strcmp(argv[1], "early") == 0;
  if (early) {
    printf("%d: it starts\n", (int)getpid());
    fflush(stdout);
  }
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  require_same(before);
  if (early && gasnet_mynode() == gasnet_nodes() - 1) raise(SIGKILL);
  if (gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0) != GASNET_OK) gasnet_exit(2);
  barrier();
  printf("%d: libfabric is %sloaded\n", (int)getpid(),
         is_mapped("/libfabric") ? "" : "not ");
  fflush(stdout);
  barrier(); /* the first process to end ends the job */
  if (argc > 1 && gasnet_mynode() == gasnet_nodes() - 1) raise(SIGKILL);
  if (argc > 1) GASNET_BLOCKUNTIL(0);
  gasnet_exit(0);
  return 0;
}
