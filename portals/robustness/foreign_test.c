/* A typical program written for Portals in general: it is C, includes only the
 * public header, and names nothing of this implementation. It forks into two
 * processes. The parent puts a text and gets it back. */
#include <portals4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void check(int code, const char *call) {
  if (code == PTL_OK) return;
  fprintf(stderr, "%s answered %d\n", call, code);
  exit(1);
}
#define CHECK(call) check((call), #call)

static ptl_handle_ni_t open_interface(ptl_process_t *id) {
  ptl_handle_ni_t ni;
  CHECK(PtlInit());
  CHECK(PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_MATCHING | PTL_NI_PHYSICAL,
                  PTL_PID_ANY, NULL, NULL, &ni));
  CHECK(PtlGetPhysId(ni, id));
  return ni;
}

/* Opens 64 bytes behind index 1 and sends the address of this process to the
 * parent. Waits until the put and the get have happened. */
static void serve(int say) {
  char memory[64] = "nothing yet";
  ptl_process_t id;
  ptl_handle_ni_t ni = open_interface(&id);
  ptl_handle_eq_t eq;
  ptl_handle_me_t entry;
  ptl_pt_index_t index;
  ptl_event_t event;
  ptl_me_t me = {0};
  CHECK(PtlEQAlloc(ni, 16, &eq));
  CHECK(PtlPTAlloc(ni, 0, eq, 1, &index));
  me.start = memory;
  me.length = sizeof memory;
  me.ct_handle = PTL_CT_NONE;
  me.uid = PTL_UID_ANY;
  me.options = PTL_ME_OP_PUT | PTL_ME_OP_GET | PTL_ME_EVENT_LINK_DISABLE;
  me.match_id.phys.nid = PTL_NID_ANY;
  me.match_id.phys.pid = PTL_PID_ANY;
  me.match_bits = 0xcafe;
  CHECK(PtlMEAppend(ni, 1, &me, PTL_PRIORITY_LIST, NULL, &entry));
  if (write(say, &id, sizeof id) != (ssize_t)sizeof id) exit(1);
  CHECK(PtlEQWait(eq, &event));
  if (event.type != PTL_EVENT_PUT || strcmp(memory, "hello") != 0) exit(2);
  CHECK(PtlEQWait(eq, &event));
  if (event.type != PTL_EVENT_GET) exit(3);
  PtlFini();
}

static void talk(ptl_process_t peer) {
  char out[8] = "hello";
  char in[8] = "";
  ptl_process_t id;
  ptl_handle_ni_t ni = open_interface(&id);
  ptl_handle_eq_t eq;
  ptl_handle_md_t out_md, in_md;
  ptl_event_t event;
  ptl_md_t md = {0};
  CHECK(PtlEQAlloc(ni, 16, &eq));
  md.start = out;
  md.length = sizeof out;
  md.eq_handle = eq;
  md.ct_handle = PTL_CT_NONE;
  md.options = PTL_MD_EVENT_SEND_DISABLE;
  CHECK(PtlMDBind(ni, &md, &out_md));
  md.start = in;
  CHECK(PtlMDBind(ni, &md, &in_md));
  CHECK(
      PtlPut(out_md, 0, sizeof out, PTL_ACK_REQ, peer, 1, 0xcafe, 0, NULL, 0));
  CHECK(PtlEQWait(eq, &event));
  if (event.type != PTL_EVENT_ACK || event.ni_fail_type != PTL_NI_OK) exit(4);
  CHECK(PtlGet(in_md, 0, sizeof in, peer, 1, 0xcafe, 0, NULL));
  CHECK(PtlEQWait(eq, &event));
  if (event.type != PTL_EVENT_REPLY || strcmp(in, "hello") != 0) exit(5);
  PtlFini();
}

int main(void) {
  int ends[2], status = 0;
  ptl_process_t peer;
  pid_t child;
  alarm(40);
  if (pipe(ends) != 0) return 1;
  child = fork();
  if (child == 0) {
    alarm(40);
    serve(ends[1]);
    return 0;
  }
  if (read(ends[0], &peer, sizeof peer) != (ssize_t)sizeof peer) return 1;
  talk(peer);
  if (waitpid(child, &status, 0) != child || status != 0) return 6;
  puts("ok");
  return 0;
}
