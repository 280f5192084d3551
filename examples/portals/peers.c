/* The processes of a job find each other with Portals alone, and pass a token
 * around.
 *
 *     mpirun -n 4 peers [FIRST]
 *     srun -n 4 peers [FIRST]
 *
 * A launcher tells each process its rank and the number of processes. Rank R
 * uses the process identifier FIRST + R (default FIRST: 1). So each process
 * knows the identifiers of all others and makes the map of ranks without
 * communication. If one user runs several jobs on a host at the same time, each
 * job needs its own range of identifiers, and so a different FIRST.
 *
 * A put fails if the target process has not opened its interface yet or has no
 * match list entry there. The put is then repeated.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */

#include <portals4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { INDEX = 0, MOST = 512 };

static void check(int code, const char *call) {
  if (code == PTL_OK) return;
  fprintf(stderr, "peers: %s returned %d\n", call, code);
  exit(1);
}
#define CHECK(call) check((call), #call)

/* Returns the value of the first of these environment variables that is set, or
 * `otherwise` if none is. Launchers use different names: Open MPI and PRRTE,
 * MPICH and others with PMI, and Slurm. */
static int told(const char *const names[3], int otherwise) {
  int i;
  for (i = 0; i < 3; ++i) {
    const char *const text = getenv(names[i]);
    if (text != NULL && *text != '\0') return atoi(text);
  }
  return otherwise;
}
static const char *const RANK[3] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK",
                                    "SLURM_PROCID"};
static const char *const SIZE[3] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                    "SLURM_STEP_NUM_TASKS"};

/* Opens an interface with a map of ranks, so that Portals addresses processes
   by the launcher's ranks. */
static ptl_handle_ni_t open_interface(int rank, int size, int first) {
  static ptl_process_t map[MOST];
  ptl_handle_ni_t ni;
  ptl_process_t self;
  int i;
  const int code =
      PtlNIInit(PTL_IFACE_DEFAULT, PTL_NI_MATCHING | PTL_NI_LOGICAL,
                (ptl_pid_t)(first + rank), NULL, NULL, &ni);
  if (code == PTL_PID_IN_USE) {
    fprintf(stderr, "peers: %d is taken, perhaps by another job; give FIRST\n",
            first + rank);
    exit(1);
  }
  CHECK(code);
  CHECK(PtlGetPhysId(ni, &self)); /* all processes are on this host */
  for (i = 0; i < size; ++i) {
    map[i].phys.nid = self.phys.nid;
    map[i].phys.pid = (ptl_pid_t)(first + i);
  }
  CHECK(PtlSetMap(ni, (ptl_size_t)size, map));
  return ni;
}

/* Opens a portal table entry that takes all messages. Returns its event queue,
   which reports the arrivals. */
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
  me.match_id.rank = PTL_RANK_ANY;
  CHECK(PtlMEAppend(ni, INDEX, &me, PTL_PRIORITY_LIST, NULL, &entry));
  return arrivals;
}

/* Passes the token on to rank `to`. The token is the header data; the message
   has no payload. */
static void pass_on(ptl_handle_md_t md, ptl_handle_eq_t acks, int to,
                    ptl_hdr_data_t token) {
  const struct timespec moment = {0, 1000000};
  ptl_process_t target;
  ptl_event_t event;
  target.rank = (ptl_rank_t)to;
  for (;;) {
    CHECK(PtlPut(md, 0, 0, PTL_ACK_REQ, target, INDEX, 0, 0, NULL, token));
    CHECK(PtlEQWait(acks, &event));
    if (event.ni_fail_type == PTL_NI_OK) return;
    nanosleep(&moment, NULL); /* the target is not ready yet */
  }
}

int main(int argc, char **argv) {
  const int rank = told(RANK, 0);
  const int size = told(SIZE, 1);
  const int first = argc > 1 ? atoi(argv[1]) : 1;
  ptl_handle_ni_t ni;
  ptl_handle_eq_t arrivals;
  ptl_handle_eq_t acks;
  ptl_handle_md_t md;
  ptl_event_t event;
  ptl_md_t nothing;
  if (size < 1 || size > MOST || rank < 0 || rank >= size || first < 0) {
    fprintf(stderr, "peers: rank %d of %d, and at most %d\n", rank, size, MOST);
    return 1;
  }
  CHECK(PtlInit());
  ni = open_interface(rank, size, first);
  arrivals = open_table(ni);
  CHECK(PtlEQAlloc(ni, 16, &acks));
  memset(&nothing, 0, sizeof nothing);
  nothing.options = PTL_MD_EVENT_SEND_DISABLE;
  nothing.eq_handle = acks;
  nothing.ct_handle = PTL_CT_NONE;
  CHECK(PtlMDBind(ni, &nothing, &md));

  if (rank == 0) pass_on(md, acks, (rank + 1) % size, 1);
  CHECK(PtlEQWait(arrivals, &event));
  if (rank != 0) pass_on(md, acks, (rank + 1) % size, event.hdr_data + 1);
  if (rank == 0) {
    printf("peers: the token has seen %d of %d\n", (int)event.hdr_data, size);
  }
  PtlFini();
  return 0;
}
