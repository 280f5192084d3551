/* Traces with gasnet_tools.h, included before gasnet.h. */
#include <gasnet_tools.h>

#include <gasnet.h>

#include "runtime.h"
#include "traced.h"

int main(int argc, char **argv) {
  int word = 5;
  RT_TRACE(("before %s", "gasnet_init"));
  SAFE(gasnet_init(&argc, &argv));
  SAFE(gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0));
  RT_TRACE(("%d of %d", (int)gasnet_mynode(), (int)gasnet_nodes()));
  CHECK(rt_silence() == GASNETT_TRACE_GET_TRACELOCAL());
  gasnet_get(&word, gasnet_mynode(), &word, 0);
  CHECK(word == 5);
  return finish();
}
