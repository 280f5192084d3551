/* launched [pmi]: a program that uses only Portals. A launcher starts it as a
 * job. The program passes a token around by puts. It prints its rank and the
 * least limit. With `pmi` the program also uses PMI, and itself notifies the
 * launcher of its end. */
#include <portals4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INDEX = 1, MOST = 64 };

static void check(int code, const char *call) {
  if (code == PTL_OK) return;
  fprintf(stderr, "launched: %s answered %d\n", call, code);
  exit(1);
}
#define CHECK(call) check((call), #call)

static int number(const char *name) {
  const char *const text = getenv(name);
  return text != NULL ? atoi(text) : -1;
}

/* Sends a request to the launcher. Fails unless the launcher's answer begins
   with `answer`. */
static void ask(const char *question, const char *answer) {
  const int launcher = number("PMI_FD");
  char line[1024];
  size_t size = 0;
  if (write(launcher, question, strlen(question)) < 0) exit(2);
  while (size < sizeof line - 1 && read(launcher, line + size, 1) == 1 &&
         line[size] != '\n') {
    ++size;
  }
  line[size] = '\0';
  if (strncmp(line, answer, strlen(answer)) == 0) return;
  fprintf(stderr, "launched: '%s' answers '%s'\n", line, question);
  exit(2);
}

static ptl_handle_eq_t open_table(ptl_handle_ni_t ni) {
  ptl_handle_eq_t arrivals;
  ptl_pt_index_t index;
  ptl_handle_me_t entry;
  ptl_me_t me;
  CHECK(PtlEQAlloc(ni, 16, &arrivals));
  CHECK(PtlPTAlloc(ni, 0, arrivals, INDEX, &index));
  memset(&me, 0, sizeof me);
  me.ct_handle = PTL_CT_NONE;
  me.uid = PTL_UID_ANY;
  me.options = PTL_ME_OP_PUT | PTL_ME_EVENT_LINK_DISABLE;
  me.match_id.phys.nid = PTL_NID_ANY;
  me.match_id.phys.pid = PTL_PID_ANY;
  CHECK(PtlMEAppend(ni, INDEX, &me, PTL_PRIORITY_LIST, NULL, &entry));
  return arrivals;
}

static void pass_on(ptl_handle_ni_t ni, ptl_process_t to,
                    ptl_hdr_data_t token) {
  ptl_handle_eq_t acks;
  ptl_handle_md_t md;
  ptl_md_t nothing;
  ptl_event_t event;
  CHECK(PtlEQAlloc(ni, 16, &acks));
  memset(&nothing, 0, sizeof nothing);
  nothing.options = PTL_MD_EVENT_SEND_DISABLE;
  nothing.eq_handle = acks;
  nothing.ct_handle = PTL_CT_NONE;
  CHECK(PtlMDBind(ni, &nothing, &md));
  do { /* until it is there */
    CHECK(PtlPut(md, 0, 0, PTL_ACK_REQ, to, INDEX, 0, 0, NULL, token));
    CHECK(PtlEQWait(acks, &event));
  } while (event.ni_fail_type != PTL_NI_OK);
}

int main(int argc, char **argv) {
  const int rank = number("PMI_RANK");
  const int size = number("PMI_SIZE");
  const int speaks_pmi = argc > 1 && strcmp(argv[1], "pmi") == 0;
  ptl_handle_ni_t ni;
  ptl_ni_limits_t limits;
  ptl_handle_eq_t arrivals;
  ptl_process_t self;
  ptl_process_t next;
  ptl_event_t event;
  if (speaks_pmi) {
    ask("cmd=init pmi_version=1 pmi_subversion=1\n", "cmd=response_to_init");
  }
  CHECK(PtlInit());
  if (speaks_pmi) ask("cmd=barrier_in\n", "cmd=barrier_out");
  CHECK(PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_MATCHING | PTL_NI_PHYSICAL,
                  PTL_PID_ANY, NULL, &limits, &ni));
  CHECK(PtlGetPhysId(ni, &self));
  arrivals = open_table(ni);
  next = self; /* all are on this host */
  next.phys.pid = (ptl_pid_t)((rank + 1) % size);
  if (rank == 0) pass_on(ni, next, 1);
  CHECK(PtlEQWait(arrivals, &event));
  if (rank != 0) pass_on(ni, next, event.hdr_data + 1);
  printf("nid %u pid %u of %d, token %u, atomics of %u bytes\n", self.phys.nid,
         self.phys.pid, size, (unsigned)event.hdr_data,
         (unsigned)limits.max_atomic_size);
  PtlFini();
  if (speaks_pmi) {
    ask("cmd=finalize\n", "cmd=finalize_ack");
    close(number("PMI_FD"));
  }
  return 0;
}
