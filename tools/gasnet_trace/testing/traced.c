/* A job whose ranks make a known number of calls, for traced_job_test.py. The
 * argument `dies` makes rank 1 end by SIGKILL after them; the ranks do not meet
 * again. Compiled with GASNET_TRACE, so that puts and gets are calls. */
#include <gasnet.h>
#include <gasnet_tools.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

enum { kRequest = 200, kReply = 201 };

static volatile int replies;

static void on_reply(gasnet_token_t token) {
  (void)token;
  ++replies;
}
static void on_request(gasnet_token_t token, void *payload, size_t nbytes) {
  (void)payload;
  (void)nbytes;
  gasnet_AMReplyShort0(token, kReply);
}

static void meet(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

int main(int argc, char **argv) {
  gasnet_handlerentry_t table[] = {{kRequest, (void (*)())on_request},
                                   {kReply, (void (*)())on_reply}};
  gasnet_seginfo_t segments[64];
  char buffer[100] = "";
  gasnet_node_t peer;
  int i;
  gasnet_init(&argc, &argv);
  gasnet_attach(table, 2, GASNET_PAGESIZE, 0);
  gasnet_getSegmentInfo(segments, 64);
  peer = (gasnet_mynode() + 1) % gasnet_nodes();
  meet();
  GASNETT_TRACE_SETSOURCELINE("traced.c", 1000);
  for (i = 0; i < 7; ++i) {
    gasnet_AMRequestMedium0(peer, kRequest, buffer, sizeof buffer);
  }
  GASNET_BLOCKUNTIL(replies == 7);
  GASNETT_TRACE_SETSOURCELINE("traced.c", 2000);
  GASNETT_TRACE_PRINTF("rank %u has %d replies", gasnet_mynode(), replies);
  for (i = 0; i < 3; ++i) gasnet_put(peer, segments[peer].addr, buffer, 64);
  for (i = 0; i < 2; ++i) gasnet_get(buffer, peer, segments[peer].addr, 8);
  GASNETT_TRACE_SETMASK("^G");
  gasnet_get(buffer, peer, segments[peer].addr, 8);
  GASNETT_TRACE_SETMASK("^");
  meet();
  if (argc > 1 && strcmp(argv[1], "dies") == 0) {
    if (gasnet_mynode() == 1) raise(SIGKILL);
    GASNET_BLOCKUNTIL(0);
  }
  gasnet_exit(0);
  return 0;
}
