// If a node crashes in any state, the rest of the job is ended (section 1.6).
// The argument selects how the last node dies.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/harness.h"

namespace conformance {
namespace {

void AbortHandler(gasnet_token_t) { abort(); }

gasnet_handlerentry_t handlers[] = {HANDLER(200, AbortHandler)};

void Die(const char* how) {
  if (strcmp(how, "abort") == 0) abort();
  // A peer sends the message whose handler aborts. The handler runs inside
  // GASNet.
  if (strcmp(how, "abort_in_handler") == 0) GASNET_BLOCKUNTIL(false);
  if (strcmp(how, "kill") == 0) raise(SIGKILL);
  if (strcmp(how, "fault") == 0) raise(SIGSEGV);
  CHECK(!"a known case");
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  conformance::StartJob(&argc, &argv, conformance::handlers,
                        COUNT_OF(conformance::handlers), 0);
  CHECK_EQ(argc, 2);
  if (gasnet_mynode() == 0 && strcmp(argv[1], "abort_in_handler") == 0) {
    gasnet_AMRequestShort0(gasnet_nodes() - 1, 200);
  }
  if (gasnet_mynode() == gasnet_nodes() - 1) conformance::Die(argv[1]);
  // Node 0 waits in GASNet. The other surviving nodes wait outside.
  if (gasnet_mynode() == 0) conformance::Barrier();
  for (;;) pause();
}
