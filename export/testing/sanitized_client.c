/* A client that is compiled with a sanitizer, while the library is not. Every
 * node puts to the next one, sends it a request, and gets from it. */
#include <gasnet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kAsk = 128, kAnswer = 129, kBytes = 100000 };

static volatile int answers = 0;

static void Ask(gasnet_token_t token, void *text, size_t nbytes) {
  gasnet_AMReplyMedium0(token, kAnswer, text, nbytes);
}
static void Answer(gasnet_token_t token, void *text, size_t nbytes) {
  (void)token;
  if (nbytes == 6 && memcmp(text, "hello", 6) == 0) answers = answers + 1;
}

static void Check(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "FAILED: node %u: %s\n", gasnet_mynode(), what);
  gasnet_exit(1);
}

static void Meet(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

int main(int argc, char **argv) {
  gasnet_handlerentry_t handlers[] = {{kAsk, (void (*)())Ask},
                                      {kAnswer, (void (*)())Answer}};
  gasnet_seginfo_t *segments;
  unsigned char *sent, *back;
  gasnet_node_t next;
  Check(gasnet_init(&argc, &argv) == GASNET_OK, "gasnet_init");
  Check(gasnet_attach(handlers, 2, 64 * GASNET_PAGESIZE, 0) == GASNET_OK,
        "gasnet_attach");
  next = (gasnet_mynode() + 1) % gasnet_nodes();
  segments = (gasnet_seginfo_t *)calloc(gasnet_nodes(), sizeof(*segments));
  sent = (unsigned char *)malloc(kBytes);
  back = (unsigned char *)calloc(1, kBytes);
  gasnet_getSegmentInfo(segments, (int)gasnet_nodes());
  memset(sent, (int)gasnet_mynode() + 1, kBytes);
  gasnet_put_bulk(next, segments[next].addr, sent, kBytes);
  Meet();
  Check(((unsigned char *)segments[gasnet_mynode()].addr)[kBytes - 1] ==
            (gasnet_mynode() + gasnet_nodes() - 1) % gasnet_nodes() + 1,
        "what the node before has put");
  gasnet_get_bulk(back, next, segments[next].addr, kBytes);
  Check(memcmp(back, sent, kBytes) == 0, "what was put is got");
  gasnet_AMRequestMedium0(next, kAsk, (char *)"hello", 6);
  GASNET_BLOCKUNTIL(answers == 1);
  Meet();
  free(back);
  free(sent);
  free(segments);
  printf("node %u is done\n", gasnet_mynode());
  gasnet_exit(0);
  return 0;
}
