/* The program of linking_test.sh. The program and its runtime,
 * linking_runtime.c, must use the same data of the GASNet library, however each
 * of the two is linked. */
#include <gasnet.h>
#include <stdlib.h>

extern gasnet_team_handle_t runtime_team(void);
extern gasnet_node_t runtime_nodes(void);
extern int runtime_reaches(gasnet_node_t node, void *addr);
extern int runtime_start(int *argc, char ***argv);

static void barrier(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

static void check(int holds, int code) {
  if (!holds) gasnet_exit(code);
}

/* Checks that program and runtime access the memory of a node inline if it is
 * mapped here. It is not enough to check that data arrives, because the
 * function that is not inlined moves data too.
 */
static void check_reach(gasnet_node_t node, void *addr) {
  gasnet_nodeinfo_t info[2];
  unsigned char *local;
  const int reaches = gasneti_mapped(node, addr, &local);
  gasnet_getNodeInfo(info, 2);
  check(runtime_reaches(node, addr) == reaches, 11);
#if defined(GASNET_PSHM) && !defined(GASNET_DEBUG)
  check(reaches == (info[node].supernode == info[gasnet_mynode()].supernode),
        12);
#endif
}

int main(int argc, char **argv) {
  gasnet_seginfo_t segments[2];
  gasnet_node_t peer;
  long sent, received = 0;
  if (runtime_start(&argc, &argv) != 0) return 10;
  check(gasnet_nodes() == runtime_nodes() && gasnet_nodes() == 2, 13);
  check(runtime_team() == GASNET_TEAM_ALL && GASNET_TEAM_ALL != NULL, 14);
  gasnet_getSegmentInfo(segments, 2);
  peer = 1 - gasnet_mynode();
#ifndef GASNET_SEGMENT_EVERYTHING
  check_reach(peer, segments[peer].addr);
  sent = 100 + (long)gasnet_mynode();
  gasnet_put(peer, segments[peer].addr, &sent, sizeof(sent));
  barrier();
  gasnet_get(&received, gasnet_mynode(), segments[1 - peer].addr,
             sizeof(received));
  check(received == 100 + (long)peer, 15);
#endif
  barrier();
  gasnet_exit(0);
  return 0;
}
