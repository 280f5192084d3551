// A job whose memory somebody looks at: every rank greets its neighbour, as
// hello does; rank 0 says so and stays until its standard input ends.
#include <unistd.h>

#include <cstdio>

#include "bench/ranks/handlers.h"
#include "bench/ranks/ranks.h"

namespace gasnet::bench {
namespace {

volatile bool greeted = false;

void Greet(gasnet_token_t) { greeted = true; }

void GreetNeighbour() {
  gasnet_AMRequestShort0((gasnet_mynode() + 1) % gasnet_nodes(), kPing);
  GASNET_BLOCKUNTIL(greeted);
  Barrier();
}

void AwaitEndOfInput() {
  char byte;
  while (read(STDIN_FILENO, &byte, 1) > 0) {
  }
}

}  // namespace
}  // namespace gasnet::bench

int main(int argc, char** argv) {
  using namespace gasnet::bench;  // NOLINT: the whole program is in there
  gasnet_handlerentry_t handlers[] = {HandlerEntry(kPing, Greet)};
  if (gasnet_init(&argc, &argv) != GASNET_OK ||
      gasnet_attach(handlers, 1, 0, 0) != GASNET_OK) {
    fprintf(stderr, "resident: GASNet does not start\n");
    return 1;
  }
  gasnet_set_waitmode(GASNET_WAIT_BLOCK);
  GreetNeighbour();
  if (gasnet_mynode() == 0) {
    puts("ready");
    fflush(stdout);
    AwaitEndOfInput();
  }
  Barrier();
  gasnet_exit(0);
}
