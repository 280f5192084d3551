/* A job whose odd nodes start slowly. Once all addresses are known, the odd
 * nodes sleep before they append each entry. The other nodes communicate with
 * the odd nodes as soon as their own start is over. */
#include <gasnet.h>
#include <poll.h>
#include <portals4.h>
#include <stdio.h>

enum { kMessage = 200, kPause = 20 /* ms */ };

static int has_started;

int __real_PtlMEAppend(ptl_handle_ni_t interface, ptl_pt_index_t index,
                       const ptl_me_t *entry, ptl_list_t list, void *user,
                       ptl_handle_me_t *handle);

/* The linker directs every call of PtlMEAppend here. */
int __wrap_PtlMEAppend(ptl_handle_ni_t interface, ptl_pt_index_t index,
                       const ptl_me_t *entry, ptl_list_t list, void *user,
                       ptl_handle_me_t *handle) {
  ptl_process_t me;
  if (!has_started && PtlGetId(interface, &me) == PTL_OK && me.rank % 2 != 0) {
    poll(NULL, 0, kPause);
    if (me.rank == 1) printf("slow\n");
  }
  return __real_PtlMEAppend(interface, index, entry, list, user, handle);
}

static volatile gasnet_node_t arrived;
static void OnMessage(gasnet_token_t token) {
  (void)token;
  ++arrived;
}

int main(int argc, char **argv) {
  gasnet_handlerentry_t handlers[] = {{kMessage, (void (*)(void))OnMessage}};
  if (gasnet_init(&argc, &argv) != GASNET_OK ||
      gasnet_attach(handlers, 1, GASNET_PAGESIZE, 0) != GASNET_OK) {
    return 1;
  }
  has_started = 1;
  gasnet_seginfo_t segments[8];
  gasnet_getSegmentInfo(segments, 8);
  for (gasnet_node_t node = gasnet_nodes(); node-- > 0;) {
    char *const mine = (char *)segments[node].addr + gasnet_mynode();
    gasnet_put_val(node, mine, 1, 1);
    gasnet_AMRequestShort0(node, kMessage);
  }
  GASNET_BLOCKUNTIL(arrived == gasnet_nodes());
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
  for (gasnet_node_t node = 0; node < gasnet_nodes(); ++node) {
    if (((char *)segments[gasnet_mynode()].addr)[node] != 1) return 2;
  }
  gasnet_exit(0);
  return 0;
}
