/* The half of linking_test.sh's client that may be a shared library of its own.
 * It stands for a language's runtime. Such a runtime uses GASNet beside the
 * program. */
#include <gasnet.h>
#include <stdio.h>

/* linking_program.c must see the same values as this file. */
extern gasnet_team_handle_t runtime_team(void);
extern gasnet_node_t runtime_nodes(void);
extern int runtime_reaches(gasnet_node_t node, void *addr);
extern int runtime_start(int *argc, char ***argv);

gasnet_team_handle_t runtime_team(void) { return GASNET_TEAM_ALL; }
gasnet_node_t runtime_nodes(void) { return gasnet_nodes(); }

/* Returns true if accesses to the address would be inlined. */
int runtime_reaches(gasnet_node_t node, void *addr) {
  unsigned char *local;
  return gasneti_mapped(node, addr, &local);
}

int runtime_start(int *argc, char ***argv) {
  if (gasnet_init(argc, argv) != GASNET_OK) return 1;
  if (gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0) != GASNET_OK) return 2;
  printf("node %d of %d\n", (int)gasnet_mynode(), (int)gasnet_nodes());
  return 0;
}
