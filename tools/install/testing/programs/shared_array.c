/* A shared array and a shared counter with its lock. A compiler of a language
 * with global addresses makes such objects: blocks in segments, relaxed writes
 * that are synchronised in bulk, named barriers, and a lock that lives on one
 * node. */
#include <gasnet.h>

#include "runtime.h"

#define BLOCK 100
#define ROUNDS 20

struct heap {
  double block[BLOCK];
  long counter;
  char bytes[64];
};

static gasnet_seginfo_t *heaps;
static struct heap *heap_of(gasnet_node_t node) {
  return (struct heap *)heaps[node].addr;
}

/* --- The lock, on node 0. --- */

enum { TRY_LOCK = 128, UNLOCK, ANSWER };
static gasnet_hsl_t lock_guard = GASNET_HSL_INITIALIZER;
static int lock_taken;

static void try_lock(gasnet_token_t token, gasnet_handlerarg_t high,
                     gasnet_handlerarg_t low) {
  int got;
  gasnet_hsl_lock(&lock_guard);
  got = !lock_taken;
  lock_taken = 1;
  gasnet_hsl_unlock(&lock_guard);
  SAFE(gasnet_AMReplyShort3(token, ANSWER, high, low, got));
}
static void unlock(gasnet_token_t token, gasnet_handlerarg_t high,
                   gasnet_handlerarg_t low) {
  gasnet_hsl_lock(&lock_guard);
  lock_taken = 0;
  gasnet_hsl_unlock(&lock_guard);
  SAFE(gasnet_AMReplyShort3(token, ANSWER, high, low, 1));
}
static void answer(gasnet_token_t token, gasnet_handlerarg_t high,
                   gasnet_handlerarg_t low, gasnet_handlerarg_t value) {
  (void)token;
  *(volatile int *)UNPACK(high, low) = value;
}

static int ask(gasnet_handler_t what) {
  volatile int value = -1;
  SAFE(gasnet_AMRequestShort2(0, what, PACK_HIGH(&value), PACK_LOW(&value)));
  GASNET_BLOCKUNTIL(value != -1);
  return value;
}

static void count_under_lock(void) {
  int round;
  long value;
  for (round = 0; round < ROUNDS; ++round) {
    while (!ask(TRY_LOCK)) gasnet_AMPoll();
    gasnet_get(&value, 0, &heap_of(0)->counter, sizeof(value));
    ++value;
    gasnet_put(0, &heap_of(0)->counter, &value, sizeof(value));
    CHECK(ask(UNLOCK) == 1);
  }
}

/* --- The array. --- */

static double element(gasnet_node_t node, int i) { return node * 1000.0 + i; }

static void write_neighbour(gasnet_node_t node) {
  gasnet_handle_t writes;
  double value[BLOCK];
  int i;
  gasnet_begin_nbi_accessregion();
  for (i = 0; i < BLOCK; ++i) {
    value[i] = element(node, i);
    gasnet_put_nbi(node, &heap_of(node)->block[i], &value[i], sizeof(double));
  }
  writes = gasnet_end_nbi_accessregion();
  gasnet_memset_nbi(node, heap_of(node)->bytes + 1, 'x',
                    sizeof(heap_of(0)->bytes) - 1);
  gasnet_put_nbi_val(node, heap_of(node)->bytes, 'y', 1);
  gasnet_wait_syncnb(writes);
  gasnet_wait_syncnbi_all();
}

static void read_all(void) {
  gasnet_node_t node;
  for (node = 0; node < gasnet_nodes(); ++node) {
    double got[BLOCK];
    int i;
    const gasnet_handle_t reading =
        gasnet_get_nb_bulk(got, node, heap_of(node)->block, sizeof(got));
    CHECK(gasnet_get_val(node, &heap_of(node)->bytes[0], 1) == 'y');
    CHECK(gasnet_get_val(node, &heap_of(node)->bytes[63], 1) == 'x');
    gasnet_wait_syncnb(reading);
    for (i = 0; i < BLOCK; ++i) CHECK(got[i] == element(node, i));
  }
}

int main(int argc, char **argv) {
  static gasnet_handlerentry_t handlers[] = {{TRY_LOCK, (void (*)())try_lock},
                                             {UNLOCK, (void (*)())unlock},
                                             {ANSWER, (void (*)())answer}};
  long total;
  SAFE(gasnet_init(&argc, &argv));
  SAFE(gasnet_attach(handlers, 3, 16 * GASNET_PAGESIZE, 0));
  heaps = (gasnet_seginfo_t *)malloc(gasnet_nodes() * sizeof(*heaps));
  SAFE(gasnet_getSegmentInfo(heaps, (int)gasnet_nodes()));

  meet();
  write_neighbour((gasnet_mynode() + 1) % gasnet_nodes());
  gasnet_barrier_notify(17, 0);
  SAFE(gasnet_barrier_wait(17, 0));
  read_all();
  count_under_lock();
  meet();
  gasnet_get(&total, 0, &heap_of(0)->counter, sizeof(total));
  CHECK(total == ROUNDS * (long)gasnet_nodes());
  return finish();
}
