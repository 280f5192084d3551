/* Exchanges messages of every size between neighbours, in both directions, and
 * checks each message. With an argument, the messages begin when node 0 reads a
 * line from its standard input. With a second argument, nodes end by returning
 * from main. */
#include <gasnet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kAsk = 200, kAnswer = 201, kRounds = 3000, kMax = 5000 };

static volatile int answers = 0;

static unsigned char byte_of(size_t nbytes, size_t i) {
  return (unsigned char)(nbytes * 31 + i * 7);
}

static void check(const unsigned char *data, size_t nbytes) {
  for (size_t i = 0; i < nbytes; ++i) {
    if (data[i] == byte_of(nbytes, i)) continue;
    fprintf(stderr, "wrong byte %zu of %zu\n", i, nbytes);
    gasnet_exit(1);
  }
}

static void ask(gasnet_token_t token, void *data, size_t nbytes) {
  check((const unsigned char *)data, nbytes);
  gasnet_AMReplyMedium0(token, kAnswer, data, nbytes);
}

static void answer(gasnet_token_t token, void *data, size_t nbytes) {
  (void)token;
  check((const unsigned char *)data, nbytes);
  answers = answers + 1;
}

/* The leak sanitizer calls this function. The result 1 turns the sanitizer off.
 * It cannot look for leaks in a child of a process with several threads, and
 * would print an error. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return 1; }

/* Forks a child. The child shares the socket, but must not use it at its
   end. */
static void fork_a_child_that_exits(void) {
  const pid_t child = fork();
  if (child == 0) exit(0);
  if (child < 0 || waitpid(child, NULL, 0) != child) gasnet_exit(3);
}

static void barrier(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

int main(int argc, char **argv) {
  gasnet_handlerentry_t handlers[] = {
      {kAsk, (void (*)())ask},
      {kAnswer, (void (*)())answer},
  };
  if (gasnet_init(&argc, &argv) != GASNET_OK) return 1;
  if (gasnet_attach(handlers, 2, 0, 0) != GASNET_OK) gasnet_exit(1);
  barrier();
  if (argc > 1 && gasnet_mynode() == 0) {
    printf("ready\n");
    fflush(stdout);
    if (getchar() == EOF) gasnet_exit(2);
  }
  barrier();
  const gasnet_node_t neighbour = (gasnet_mynode() + 1) % gasnet_nodes();
  unsigned char data[kMax];
  const size_t limit = gasnet_AMMaxMedium();
  const size_t sizes = limit < kMax ? limit + 1 : kMax;
  for (int round = 0; round < kRounds; ++round) {
    const size_t nbytes = (size_t)round % sizes;
    for (size_t i = 0; i < nbytes; ++i) data[i] = byte_of(nbytes, i);
    if (round % 1000 == 100) fork_a_child_that_exits();
    gasnet_AMRequestMedium0(neighbour, kAsk, data, nbytes);
    if (round % 8 == 7) GASNET_BLOCKUNTIL(answers == round + 1);
  }
  GASNET_BLOCKUNTIL(answers == kRounds);
  barrier();
  if (gasnet_mynode() == 0) printf("all answered\n");
  barrier();
  if (argc <= 2) gasnet_exit(0);
  return 0;
}
