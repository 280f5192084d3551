/* A job whose shared memory is full: node 0 fills /dev/shm when all segments
 * exist. The argument then selects the actions of the nodes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <gasnet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kAsk = 200, kAnswer = 201, kRounds = 2000, kClientsCode = 42 };

static volatile int answers = 0;

static void ask(gasnet_token_t token, void *data, size_t nbytes) {
  gasnet_AMReplyMedium0(token, kAnswer, data, nbytes);
}

static void answer(gasnet_token_t token, void *data, size_t nbytes) {
  (void)token, (void)data, (void)nbytes;
  answers = answers + 1;
}

static void barrier(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

static void handle(int signal_number) {
  (void)signal_number;
  static const char kText[] = "the client's handler\n";
  if (write(STDERR_FILENO, kText, sizeof kText - 1) < 0) _exit(1);
  _exit(kClientsCode);
}

static void fill_dev_shm(void) {
  static char block[1 << 16];
  const int fd = open("/dev/shm", O_TMPFILE | O_RDWR, 0600);
  size_t size = sizeof block;
  while (fd >= 0 && size > 0) {
    const ssize_t wrote = write(fd, block, size);
    if (wrote < (ssize_t)size) size /= 2;
  }
}

/* Touches a page behind the end of a file. The page belongs to no segment. */
static void touch_a_page_that_is_none(void) {
  const int fd = memfd_create("empty", 0);
  char *const page =
      (char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (page == (char *)MAP_FAILED) gasnet_exit(1);
  *page = 1;
}

static void exchange(size_t nbytes) {
  const gasnet_node_t other = 1 - gasnet_mynode();
  char *const data = (char *)calloc(nbytes, 1);
  for (int round = 0; round < kRounds; ++round) {
    gasnet_AMRequestMedium0(other, kAsk, data, nbytes);
  }
  GASNET_BLOCKUNTIL(answers == kRounds);
  barrier();
  printf("all answered\n");
}

static void put_everywhere(gasnet_node_t node,
                           const gasnet_seginfo_t *segment) {
  enum { kPiece = 1 << 16 };
  static char piece[kPiece];
  memset(piece, 1, sizeof piece);
  for (size_t at = 0; at + kPiece <= segment->size; at += kPiece) {
    gasnet_put(node, (char *)segment->addr + at, piece, kPiece);
  }
}

int main(int argc, char **argv) {
  gasnet_handlerentry_t handlers[] = {
      {kAsk, (void (*)())ask},
      {kAnswer, (void (*)())answer},
  };
  const char *const action = argc > 1 ? argv[1] : "";
  if (strncmp(action, "before", 6) == 0) signal(SIGBUS, handle);
  /* Ends with _exit(), so that the leak sanitizer does not look at the memory
     that a failed start leaves behind. */
  if (gasnet_init(&argc, &argv) != GASNET_OK) _exit(3);
  const uintptr_t size = gasnet_getMaxGlobalSegmentSize();
  if (gasnet_attach(handlers, 2, size, 0) != GASNET_OK) gasnet_exit(1);
  gasnet_seginfo_t segments[2];
  gasnet_getSegmentInfo(segments, 2);
  barrier();
  if (gasnet_mynode() == 0) fill_dev_shm();
  barrier();
  if (strcmp(action, "messages") == 0) {
    exchange(gasnet_AMMaxMedium());
  } else if (gasnet_mynode() == 0) {
    /* Node 0 only serves the other node in the barrier. */
  } else if (strcmp(action, "own") == 0 || strcmp(action, "before-own") == 0) {
    memset(segments[1].addr, 1, segments[1].size);
  } else if (strcmp(action, "put") == 0) {
    put_everywhere(0, &segments[0]);
  } else if (strcmp(action, "after-own") == 0) {
    signal(SIGBUS, handle);
    memset(segments[1].addr, 1, segments[1].size);
  } else if (strcmp(action, "other") == 0 ||
             strcmp(action, "before-other") == 0) {
    touch_a_page_that_is_none();
  } else if (strcmp(action, "sent") == 0 ||
             strcmp(action, "before-sent") == 0) {
    kill(getpid(), SIGBUS);
  }
  barrier();
  gasnet_exit(0);
  return 0;
}
