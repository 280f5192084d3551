// A job for measuring the memory that ranks use. Every rank sends one message
// to its neighbour, like the example hello. With an argument, every rank sends
// one message to all other ranks. Then rank 0 prints a line and waits for the
// end of its standard input.
#include <unistd.h>

#include <cstdio>

#include "bench/ranks/handlers.h"
#include "bench/ranks/ranks.h"

namespace gasnet::bench {
namespace {

volatile gasnet_node_t greetings = 0;

void Greet(gasnet_token_t) { greetings = greetings + 1; }

void GreetNext(gasnet_node_t others) {
  for (gasnet_node_t i = 1; i <= others; ++i) {
    gasnet_AMRequestShort0((gasnet_mynode() + i) % gasnet_nodes(), kPing);
  }
  GASNET_BLOCKUNTIL(greetings == others);
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
  GreetNext(argc > 1 ? gasnet_nodes() - 1 : 1);
  if (gasnet_mynode() == 0) {
    puts("ready");
    fflush(stdout);
    AwaitEndOfInput();
  }
  Barrier();
  gasnet_exit(0);
}
