// A job whose ranks make a known number of calls, for traced_job_test.py. With
// the argument `dies`, rank 1 ends by SIGKILL once all ranks have made their
// calls. With `masks`, rank 1 leaves messages out of its trace for a moment
// before it gets any.
// The program is compiled with GASNET_TRACE, so puts and gets count as calls.
#include <gasnet.h>
#include <gasnet_trace.h>
#include <signal.h>

#include <cstring>

namespace {

enum { kRequest = 200, kReply = 201, kDone = 202 };

volatile int replies;
volatile unsigned done;

void OnReply(gasnet_token_t) { replies = replies + 1; }
void OnDone(gasnet_token_t) { done = done + 1; }
void OnRequest(gasnet_token_t token, void*, size_t) {
  gasnet_AMReplyShort0(token, kReply);
}

void Meet() {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}

}  // namespace

int main(int argc, char** argv) {
  gasnet_handlerentry_t table[] = {
      {kRequest, reinterpret_cast<void (*)()>(OnRequest)},
      {kReply, reinterpret_cast<void (*)()>(OnReply)},
      {kDone, reinterpret_cast<void (*)()>(OnDone)}};
  gasnet_seginfo_t segments[64];
  char buffer[100] = "";
  gasnet_init(&argc, &argv);
  gasnet_attach(table, 3, GASNET_PAGESIZE, 0);
  gasnet_getSegmentInfo(segments, 64);
  const gasnet_node_t peer = (gasnet_mynode() + 1) % gasnet_nodes();
  if (gasnet_mynode() == 1 && argc > 1 && std::strcmp(argv[1], "masks") == 0) {
    GASNETT_TRACE_SETMASK("^A");
    GASNETT_TRACE_SETMASK("^");
  }
  Meet();
  GASNETT_TRACE_SETSOURCELINE("traced.cc", 1000);
  for (int i = 0; i < 7; ++i) {
    gasnet_AMRequestMedium0(peer, kRequest, buffer, sizeof buffer);
  }
  GASNET_BLOCKUNTIL(replies == 7);
  GASNETT_TRACE_SETSOURCELINE("traced.cc", 2000);
  GASNETT_TRACE_PRINTF("rank %u has %d replies", gasnet_mynode(), replies);
  for (int i = 0; i < 3; ++i) gasnet_put(peer, segments[peer].addr, buffer, 64);
  for (int i = 0; i < 2; ++i) gasnet_get(buffer, peer, segments[peer].addr, 8);
  GASNETT_TRACE_SETMASK("^G");
  gasnet_get(buffer, peer, segments[peer].addr, 8);
  GASNETT_TRACE_SETMASK("^");
  Meet();
  if (argc > 1 && std::strcmp(argv[1], "dies") == 0) {
    // The calls from here on are not traced.
    GASNETT_TRACE_SETMASK("");
    gasnet_AMRequestShort0(1, kDone);
    GASNET_BLOCKUNTIL(done == gasnet_nodes());
    raise(SIGKILL);
  }
  gasnet_exit(0);
  return 0;
}
