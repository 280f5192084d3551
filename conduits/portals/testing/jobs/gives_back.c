/* Makes many more transfers or messages than there are records, op slots,
 * chunks and credits. If one of these were not given back, later operations
 * would wait forever. Every byte is checked. The first argument chooses the
 * case. The second argument is the number of rounds.
 *
 *   puts   non-blocking puts of several sizes; their sources are changed as
 *          soon as the puts permit it
 *   longs  Longs of several sizes, and LongAsyncs; their handlers reply
 *          with a Long, with a Short, or not at all
 */
#include <gasnet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kTake = 200, kBack, kShortBack };
enum { kSizes = 4, kEach = 8, kSlots = kSizes * kEach, kMax = 9000 };

static const size_t kBytes[kSizes] = {8, 100, 3000, kMax};

static gasnet_seginfo_t *segments;
static unsigned char sources[kSlots][kMax];
/* Not atomic: only one thread of a node runs handlers. */
static long taken;
static long answered;

static void barrier(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

static unsigned char *place(gasnet_node_t node, int slot) {
  return (unsigned char *)segments[node].addr + (size_t)slot * kMax;
}
static size_t bytes_of(int slot) { return kBytes[slot % kSizes]; }
static unsigned char value_of(long round, int slot) {
  return (unsigned char)(round * 7 + slot);
}
static void check(const unsigned char *bytes, size_t count, int value) {
  for (size_t i = 0; i < count; ++i) {
    if (bytes[i] != value) gasnet_exit(3);
  }
}

static void take(gasnet_token_t token, void *data, size_t nbytes,
                 gasnet_handlerarg_t value, gasnet_handlerarg_t slot) {
  check(data, nbytes, value);
  ++taken;
  gasnet_node_t source;
  gasnet_AMGetMsgSource(token, &source);
  if (slot % 3 == 0) {
    gasnet_AMReplyLong1(token, kBack, data, nbytes,
                        place(source, kSlots + slot), value);
  } else if (slot % 3 == 1) {
    gasnet_AMReplyShort0(token, kShortBack);
  }
}
static void back(gasnet_token_t token, void *data, size_t nbytes,
                 gasnet_handlerarg_t value) {
  (void)token;
  check(data, nbytes, value);
  ++answered;
}
static void short_back(gasnet_token_t token) {
  (void)token;
  ++answered;
}

static void puts_round(gasnet_node_t to, long round) {
  for (int slot = 0; slot < kSlots; ++slot) {
    unsigned char *const source = sources[slot];
    memset(source, value_of(round, slot), bytes_of(slot));
    if (slot % 2 == 0) {
      gasnet_put_nbi(to, place(to, slot), source, bytes_of(slot));
      memset(source, 0xff, bytes_of(slot));
    } else {
      gasnet_put_nbi_bulk(to, place(to, slot), source, bytes_of(slot));
    }
  }
  gasnet_wait_syncnbi_puts();
  barrier();
  for (int slot = 0; slot < kSlots; ++slot) {
    check(place(gasnet_mynode(), slot), bytes_of(slot), value_of(round, slot));
  }
  barrier();
}

static void longs_round(gasnet_node_t to, long round) {
  taken = answered = 0;
  barrier();
  long answers = 0;
  for (int slot = 0; slot < kSlots; ++slot) {
    unsigned char *const source = sources[slot];
    const int value = value_of(round, slot);
    memset(source, value, bytes_of(slot));
    if (slot % 2 == 0) {
      gasnet_AMRequestLong2(to, kTake, source, bytes_of(slot), place(to, slot),
                            value, slot);
      memset(source, 0xff, bytes_of(slot));
    } else {
      gasnet_AMRequestLongAsync2(to, kTake, source, bytes_of(slot),
                                 place(to, slot), value, slot);
    }
    answers += slot % 3 != 2;
  }
  GASNET_BLOCKUNTIL(taken == kSlots && answered == answers);
  /* After the barrier all LongAsyncs have been handled. Their sources are
     free. */
  barrier();
}

int main(int argc, char **argv) {
  gasnet_handlerentry_t handlers[] = {{kTake, (void (*)(void))take},
                                      {kBack, (void (*)(void))back},
                                      {kShortBack, (void (*)(void))short_back}};
  if (gasnet_init(&argc, &argv) != GASNET_OK || argc != 3) return 1;
  const uintptr_t page = GASNET_PAGESIZE;
  const uintptr_t size = (2 * kSlots * kMax + page - 1) / page * page;
  if (gasnet_attach(handlers, 3, size, 0) != GASNET_OK) return 1;
  segments = malloc(gasnet_nodes() * sizeof *segments);
  gasnet_getSegmentInfo(segments, (int)gasnet_nodes());
  barrier();
  const gasnet_node_t to = (gasnet_mynode() + 1) % gasnet_nodes();
  const long rounds = strtol(argv[2], NULL, 10);
  for (long round = 0; round < rounds; ++round) {
    if (strcmp(argv[1], "puts") == 0) {
      puts_round(to, round);
    } else {
      longs_round(to, round);
    }
  }
  barrier();
  if (gasnet_mynode() == 0) printf("all given back\n");
  barrier();
  gasnet_exit(0);
  return 0;
}
