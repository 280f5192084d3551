/* Patterns of requests. The receivers count every request. The first argument
 * chooses the pattern. The second argument is the pattern's length.
 *
 *   flood  all other nodes send to node 0
 *   all    every node sends to every other node
 *   ghost  nodes in a box exchange messages with their six neighbours; all
 *          messages of an exchange are sent at once
 *   deaf   like flood, but node 0 makes no GASNet call until it has read a
 *          line
 */
#include <gasnet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kTake = 200, kBytes = 480, kFace = 16, kAxes = 3 };

/* Not atomic: only one thread of a node runs handlers. */
static unsigned long taken;
static unsigned long sum;

static void take(gasnet_token_t token, void *data, size_t nbytes,
                 gasnet_handlerarg_t number) {
  (void)token;
  const unsigned char *const bytes = (const unsigned char *)data;
  if (nbytes != kBytes || bytes[0] != (unsigned char)number ||
      bytes[kBytes - 1] != (unsigned char)number) {
    gasnet_exit(3);
  }
  ++taken;
  sum += (unsigned long)number;
}

static void barrier(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

static void send_numbers(gasnet_node_t to, long first, long count) {
  static unsigned char data[kBytes];
  for (long number = first; number < first + count; ++number) {
    memset(data, (int)(number & 0xff), sizeof data);
    gasnet_AMRequestMedium1(to, kTake, data, sizeof data,
                            (gasnet_handlerarg_t)number);
  }
}

/* Waits until each of `nodes` nodes has sent each number from 0 to count - 1
   once. */
static void await_numbers(unsigned long nodes, unsigned long count) {
  GASNET_BLOCKUNTIL(taken == nodes * count);
  if (sum != nodes * (count * (count - 1) / 2)) gasnet_exit(4);
}

static void flood(long count) {
  if (gasnet_mynode() > 0)
    send_numbers(0, 0, count);
  else
    await_numbers(gasnet_nodes() - 1, (unsigned long)count);
}

static void all(long count) {
  for (gasnet_node_t i = 1; i < gasnet_nodes(); ++i) {
    send_numbers((gasnet_mynode() + i) % gasnet_nodes(), 0, count);
  }
  await_numbers(gasnet_nodes() - 1, (unsigned long)count);
}

/* Returns the neighbour that is `step` nodes away along an axis of a cyclic
 * box of side^3 nodes. */
static gasnet_node_t neighbour(gasnet_node_t side, int axis,
                               gasnet_node_t step) {
  gasnet_node_t scale = 1;
  for (int i = 0; i < axis; ++i) scale *= side;
  const gasnet_node_t me = gasnet_mynode();
  const gasnet_node_t at = me / scale % side;
  return me - at * scale + (at + step) % side * scale;
}

static void ghost(long rounds) {
  gasnet_node_t side = 1;
  while (side * side * side < gasnet_nodes()) ++side;
  if (side < 3 || side * side * side != gasnet_nodes()) gasnet_exit(2);
  for (long round = 1; round <= rounds; ++round) {
    for (int axis = 0; axis < kAxes; ++axis) {
      send_numbers(neighbour(side, axis, 1), 0, kFace);
      send_numbers(neighbour(side, axis, side - 1), 0, kFace);
    }
    GASNET_BLOCKUNTIL(taken >= (unsigned long)round * 2 * kAxes * kFace);
    barrier();
  }
  const unsigned long messages = (unsigned long)rounds * 2 * kAxes * kFace;
  if (taken != messages || sum != messages * (kFace - 1) / 2) gasnet_exit(4);
}

static void deaf(long count) {
  if (gasnet_mynode() == 0 && getchar() == EOF) gasnet_exit(5);
  flood(count);
}

static const struct {
  const char *name;
  void (*run)(long count);
} kPatterns[] = {
    {"flood", &flood}, {"all", &all}, {"ghost", &ghost}, {"deaf", &deaf}};

int main(int argc, char **argv) {
  gasnet_handlerentry_t handlers[] = {{kTake, (void (*)(void))take}};
  if (gasnet_init(&argc, &argv) != GASNET_OK || argc != 3 ||
      gasnet_attach(handlers, 1, 0, 0) != GASNET_OK) {
    return 1;
  }
  barrier();
  for (size_t i = 0; i < sizeof kPatterns / sizeof *kPatterns; ++i) {
    if (strcmp(argv[1], kPatterns[i].name) == 0) {
      kPatterns[i].run(strtol(argv[2], NULL, 10));
    }
  }
  barrier();
  if (gasnet_mynode() == 0) printf("all arrived\n");
  barrier();
  gasnet_exit(0);
  return 0;
}
