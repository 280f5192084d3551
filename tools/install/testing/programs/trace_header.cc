// Traces with gasnet_trace.h. This header must include the rest by itself.
// Describes a transfer in words.
#include <gasnet_trace.h>

#include "runtime.h"
#include "traced.h"

int main(int argc, char** argv) {
  SAFE(gasnet_init(&argc, &argv));
  SAFE(gasnet_attach(NULL, 0, GASNET_PAGESIZE, 0));
  CHECK(rt_silence() == GASNETT_TRACE_GET_TRACELOCAL());
  void* pieces[] = {&argc, &argv};
  char* const text =
      static_cast<char*>(malloc(gasnett_format_addrlist_bufsz(2)));
  gasnett_format_addrlist(text, 2, pieces, sizeof(int));
  RT_TRACE(("%s", text));
  CHECK(strlen(text) < gasnett_format_addrlist_bufsz(2));
  free(text);
  return finish();
}
