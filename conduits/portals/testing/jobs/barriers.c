/* Barriers that Portals completes on its own. Arguments: the case, and a file
 * that all ranks share.
 *
 *   deaf     all ranks notify. Then one rank completes the barrier, while the
 *            others make no GASNet call. Each rank takes its turn
 *   sleeps   one rank notifies when all others already sleep in the wait
 *   names    barriers with one name, with two names, with no name
 *   leaves   ranks return from main as soon as they are out of a barrier
 *   limited  like names, but the Portals of one rank supports no triggered
 *            operations
 *   refused  the Portals of rank 0 supports no triggered operations. The
 *            Portals of the other ranks is unusable. The third argument is the
 *            number of ranks
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <gasnet.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kMaxRanks = 64, kRounds = 3, kPhases = 300 };

struct shared {
  volatile int through; /* last phase that a rank has completed */
  volatile int limited; /* ranks with a limited Portals */
  volatile int begun;   /* ranks that have stored their process below */
  volatile pid_t pids[kMaxRanks];
};
static struct shared *shared;

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  gasnet_exit(3);
}

static void map(const char *path) {
  const int fd = open(path, O_RDWR);
  if (fd < 0) fail("the shared file cannot be opened");
  void *const at =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) fail("the shared file cannot be mapped");
  shared = at;
}

static void end(int name) {
  if (gasnet_barrier_wait(name, 0) != GASNET_OK) fail("a barrier differs");
}

static void deaf(void) {
  const int phases = kRounds * (int)gasnet_nodes();
  for (int phase = 1; phase <= phases; ++phase) {
    gasnet_barrier_notify(phase, 0);
    if (phase % (int)gasnet_nodes() == (int)gasnet_mynode()) {
      end(phase);
      shared->through = phase;
      continue;
    }
    while (shared->through < phase) sched_yield();
    end(phase);
  }
}

/* Returns the kernel's state of a process, for example 'S'. */
static char state_of(pid_t pid) {
  char name[64], line[256];
  snprintf(name, sizeof name, "/proc/%d/stat", (int)pid);
  FILE *const file = fopen(name, "r");
  if (file == NULL) fail("a rank is gone");
  const size_t n = fread(line, 1, sizeof line - 1, file);
  fclose(file);
  line[n] = 0;
  const char *const after = strrchr(line, ')');
  return after != NULL && after[1] != 0 ? after[2] : 0;
}

static void sleeps(void) {
  gasnet_set_waitmode(GASNET_WAIT_BLOCK);
  shared->pids[gasnet_mynode()] = getpid();
  gasnet_barrier_notify(0, 0);
  end(0);
  for (int phase = 1; phase <= kRounds; ++phase) {
    const gasnet_node_t late = (gasnet_node_t)phase % gasnet_nodes();
    if (late == gasnet_mynode()) {
      for (gasnet_node_t i = 0; i < gasnet_nodes(); ++i) {
        if (i == late) continue;
        while (state_of(shared->pids[i]) != 'S') sched_yield();
      }
    }
    gasnet_barrier_notify(phase, 0);
    end(phase);
  }
}

static void names(void) {
  const int me = (int)gasnet_mynode();
  for (int phase = 0; phase < kPhases; ++phase) {
    gasnet_barrier_notify(-phase, 0);
    end(-phase);
    /* One rank uses a name that differs from all others. */
    const int odd = phase % (int)gasnet_nodes() == me;
    gasnet_barrier_notify(odd, 0);
    if (gasnet_barrier_wait(odd, 0) != GASNET_ERR_BARRIER_MISMATCH) {
      fail("two names agree");
    }
    const int none = GASNET_BARRIERFLAG_ANONYMOUS;
    gasnet_barrier_notify(me, none);
    if (gasnet_barrier_wait(me, none) != GASNET_OK) fail("no names differ");
    /* Only one rank has a name. */
    gasnet_barrier_notify(9, odd ? 0 : none);
    if (gasnet_barrier_wait(9, odd ? 0 : none) != GASNET_OK) {
      fail("a name and none differ");
    }
  }
}

/* Returns true on the first rank. Called before gasnet_init. The launcher
 * starts ranks in the order of their numbers. */
static int is_first(int ranks) {
  const int mine = __atomic_fetch_add(&shared->begun, 1, __ATOMIC_SEQ_CST);
  shared->pids[mine] = getpid();
  for (int i = 0; i < ranks; ++i) {
    while (shared->pids[i] == 0) sched_yield();
    if (shared->pids[i] < getpid()) return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const char *const what = argv[1];
  map(argv[2]);
  if (strcmp(what, "limited") == 0 &&
      __atomic_fetch_add(&shared->limited, 1, __ATOMIC_SEQ_CST) == 0) {
    setenv("PORTALS4_LIMITS", "max_triggered_ops=1", 1);
  }
  if (strcmp(what, "refused") == 0) {
    setenv("PORTALS4_LIMITS",
           argc > 3 && is_first(atoi(argv[3])) ? "max_triggered_ops=1"
                                               : "max_msg_size=64",
           1);
  }
  if (gasnet_init(&argc, &argv) != GASNET_OK ||
      gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0) != GASNET_OK) {
    return 2;
  }
  if (gasnet_nodes() > kMaxRanks) fail("too many ranks");
  if (strcmp(what, "deaf") == 0) deaf();
  if (strcmp(what, "sleeps") == 0) sleeps();
  if (strcmp(what, "names") == 0 || strcmp(what, "limited") == 0) names();
  gasnet_barrier_notify(1, 0);
  if (gasnet_barrier_wait(1, 0) != GASNET_OK) return 3;
  if (strcmp(what, "leaves") == 0) return 0;
  gasnet_exit(0);
}
